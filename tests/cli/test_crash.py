#!/usr/bin/env python3
"""test_crash.py BUILD_DIR: `postern index` is killed (SIGKILL) again and again; what is left must be a commit (docs/bug_reports.md, row 54).

The input says with every commit which state it stands for. A round adds to the index that the rounds before have left, and kills the
command when the nth change of the folder is seen. Then the newest commit must be the last one published, hold exactly the documents of
its state, satisfy `postern check` and Lucene, and the next run must get the lock and remove what lies around.

POSTERN_CRASH_KILLS=200 POSTERN_CRASH_SEED=7 give another number of kills and the random choices of an earlier run.
"""
import collections
import ctypes
import json
import os
import pathlib
import random
import re
import select
import shutil
import statistics
import struct
import subprocess
import sys
import time

import command

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "twin")]
import oracle  # noqa: E402
from lucene_inspect import compound, segments  # noqa: E402

KILLS = int(os.environ.get("POSTERN_CRASH_KILLS", "20"))
SEED = os.environ.get("POSTERN_CRASH_SEED") or str(random.SystemRandom().randrange(1 << 32))
SCHEMA = [{"name": "id", "type": "keyword", "store": True},
          {"name": "version", "type": "long", "store": True, "doc_values": True},
          {"name": "all", "type": "keyword"},
          {"name": "n", "type": "long", "index": False, "doc_values": "numeric"},
          {"name": "body", "type": "text", "term_vector": "with_positions", "store": True}]
WORDS = [f"word{i}" for i in range(900)]


class Watch:
    """Changes of a folder, as the system tells them (inotify)."""
    MODIFY, MOVED_TO, CREATE, DELETE = 0x2, 0x80, 0x100, 0x200

    def __init__(self, folder):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        added = libc.inotify_add_watch(self.descriptor, os.fsencode(folder), self.MODIFY | self.MOVED_TO | self.CREATE | self.DELETE)
        if added < 0:
            raise OSError(ctypes.get_errno(), "inotify_add_watch")
        self.changes = 0
        self.published = 0  # the newest generation whose commit got its name

    def read(self):
        try:
            data = os.read(self.descriptor, 1 << 16)
        except BlockingIOError:
            return False
        at = 0
        while at < len(data):
            _, mask, _, length = struct.unpack_from("iIII", data, at)
            name = data[at + 16:at + 16 + length].rstrip(b"\0").decode()
            at += 16 + length
            self.changes += 1
            if mask & self.MOVED_TO and name.startswith("segments_"):
                self.published = max(self.published, int(name[9:], 36))
        return True

    def close(self):
        os.close(self.descriptor)


class Model:
    """What each commit holds: number of the state -> {id: (version, doc value of n)}."""

    def __init__(self, rng):
        self.rng = rng
        self.states = {0: {}}
        self.newest = 0
        self.next_id = 0

    def document(self, name):
        text = " ".join(self.rng.choices(WORDS, k=self.rng.choice((3, 20, 120))))
        return {"id": name, "version": self.newest, "all": "x", "n": self.newest, "body": text}

    def change(self, state, name):
        """An operation on a document that is there."""
        term = ["id", name]
        kind = self.rng.randrange(3)
        if kind == 0:
            del state[name]
            return {"op": "delete", "term": term}
        if kind == 1:
            state[name] = (self.newest, self.newest)
            return {"op": "update", "term": term, "doc": self.document(name)}
        state[name] = (state[name][0], -self.newest)
        return {"op": "update_doc_values", "term": term, "field": "n", "value": -self.newest}

    def input(self, start, commits, threads):
        """Lines that lead from state `start` through so many commits. Several threads keep no order between two commits, so they get
        one operation for an id."""
        state = dict(self.states[start])
        for _ in range(commits):
            self.newest += 1
            done = set()
            for _ in range(self.rng.randrange(1, 25)):
                name = f"d{self.next_id}"
                self.next_id += 1
                state[name] = (self.newest, self.newest)
                yield self.document(name)
                done.add(name)
                for _ in range(self.rng.randrange(3)):
                    name = self.rng.choice(list(state))
                    if threads == 1 or name not in done:
                        yield self.change(state, name)
                        done.add(name)
                    if not state:
                        break
                if self.rng.random() < 0.02:
                    yield {"op": "flush"}
            self.states[self.newest] = dict(state)
            yield {"op": "commit", "user_data": {"state": str(self.newest)}}


class Crashes(command.CommandTest):
    def setUp(self):
        super().setUp()
        self.index.mkdir()
        self.schema_file = self.schema(*SCHEMA)
        self.lucene = oracle.why_not() is None
        if not self.lucene:
            if os.environ.get("POSTERN_REQUIRE_TWIN") == "1":
                self.fail(oracle.why_not())
            print(f"NOT checked with Lucene: {oracle.why_not()}", flush=True)
        self.addCleanup(oracle.JVM.stop)

    def newest_commit(self):
        """(generation, state) of the newest commit; (0, 0) if there is none."""
        if not list(self.index.glob("segments_*")):
            return 0, 0
        out, _ = self.run_command("info", "--json", self.index)
        commit = json.loads(out)["commits"][0]
        return commit["generation"], int(commit["user_data"].get("state", "0"))

    def write_input(self, lines):
        lines = [json.dumps(line) + "\n" for line in lines]
        cut = self.rng.randrange(len(lines))
        return [self.write("a.jsonl", "".join(lines[:cut])), self.write("b.jsonl", "".join(lines[cut:]))]

    def start(self, mode, inputs, options):
        words = ["index", "--out", self.index, "--schema", self.schema_file, "--quiet", *mode, *options, *inputs]
        return subprocess.Popen([command.POSTERN, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run_until(self, process, watch, changes, pause):
        """Kills when so many changes have been seen (None: never); says whether it did."""
        killed = False
        ended = os.pidfd_open(process.pid)
        waiting = [watch.descriptor, ended]
        while ended in waiting and not killed:
            ready, _, _ = select.select(waiting, [], [])
            while watch.read():
                pass
            if changes is not None and watch.changes >= changes:
                time.sleep(pause)  # another place between two changes; nothing waits for it
                process.kill()
                killed = True
            if ended in ready:
                break
        os.close(ended)
        output = process.communicate()[0].decode()
        while watch.read():
            pass
        if process.returncode != -9:
            self.assertEqual(0, process.returncode, output)
        return process.returncode == -9

    def expect_content(self, state):
        expected = self.model.states[state]
        if list(self.index.glob("segments_*")):
            found, = self.look_up("all", "x", first=max(1, 2 * len(expected)))
            stored = [dict(d["stored"]) for d in found["first"]]
            self.assertEqual(sorted((name, version) for name, (version, _) in expected.items()),
                             sorted((d["id"], int(d["version"])) for d in stored))
            self.assertEqual(len(expected), found["documents"])
        else:
            self.assertEqual({}, expected)

    def expect_sound(self, state):
        """For `postern check` and for Lucene, which reads the state, too. Leftovers are no fault."""
        if list(self.index.glob("segments_*")):
            self.run_command("check", "--quiet", self.index)
            if self.lucene:
                code, text = oracle.call("check", self.index, "--allow-unreferenced")
                self.assertEqual(0, code, text)
                id_of = dict(re.findall(r"(?m)^stored doc (\d+) .* string \"(\w+)\"$", self.dump("id")))
                version_of = dict(re.findall(r"(?m)^stored doc (\d+) .* (\d+)$", self.dump("version")))
                n_of = dict(re.findall(r"(?m)^dv 'n' doc (\d+) \[?(-?\d+)\]?$", self.dump("n")))
                found = {name: (int(version_of[doc]), int(n_of[doc])) for doc, name in id_of.items()}
                self.assertEqual(self.model.states[state], found)

    def dump(self, field):
        """What Lucene reads of a field, of live documents."""
        code, text = oracle.call("dump", self.index, "--merged", "--field", field)
        self.assertEqual(0, code, text)
        return text

    def expect_no_leftovers(self):
        commit = segments.read_latest(compound.FileDirectory(self.index))
        self.assertEqual({*commit.all_files(), "write.lock"}, set(os.listdir(self.index)))

    def one_round(self, usual):
        rng = self.rng
        if rng.random() < 0.1 or len(list(self.index.glob("*.si"))) > 60:
            shutil.rmtree(self.index)
            self.index.mkdir()
            self.state = 0
        generation, state = self.newest_commit()
        self.assertEqual(self.state, state)
        replaces = rng.random() < 0.15 and generation != 0
        mode = () if generation == 0 else ("--create",) if replaces else ("--append",)
        options = ["--compound", rng.choice(("true", "false")), "--max-buffered-docs", rng.choice((2, 9, 1000))]
        kind = tuple(options)
        threads = rng.choice((1, 2))
        options += ["--threads", threads, "--ram-mb", rng.choice((0.05, 0.3, 16))]
        first = self.model.newest + 1
        commits = rng.randrange(2, 8)
        inputs = self.write_input(self.model.input(0 if replaces else self.state, commits, threads))
        kill_at = rng.randrange(1, round(commits * statistics.mean(usual[kind])) + 1) if usual[kind] else None
        watch = Watch(self.index)
        killed = self.run_until(self.start(mode, inputs, options), watch, kill_at, rng.choice((0, 0, 0.002)) * rng.random())
        watch.close()
        if not killed:
            usual[kind].append(watch.changes / commits)
        try:
            return killed, self.judge(killed, generation, watch.published, range(first, self.model.newest + 1))
        except BaseException:
            print(f"seed {SEED}: {mode} {options}, killed at change {kill_at}: {killed}; state {self.state} before, "
                  f"{first} to {self.model.newest} to come", flush=True)
            raise

    def judge(self, killed, before, published, to_come):
        """Says whether the run had committed."""
        generation, state = self.newest_commit()
        self.assertEqual(max(before, published), generation, "the newest commit is the last one published")
        self.assertIn(state, to_come if generation > before else [self.state])
        if not killed:
            self.assertEqual(to_come[-1], state)
        self.expect_content(state)
        self.expect_sound(state)
        # The next run gets the lock, removes what is left, and adds to the commit.
        inputs = self.write_input(self.model.input(state, 1, 1))
        self.assertEqual("", self.start(("--append",) if generation else (), inputs, ()).communicate()[0].decode())
        self.expect_no_leftovers()
        self.state = self.model.newest
        self.expect_content(self.state)
        return generation > before

    def test_what_is_left_after_a_kill_is_a_commit(self):
        print(f"POSTERN_CRASH_SEED={SEED}", flush=True)
        self.rng = random.Random(SEED)
        self.model = Model(self.rng)
        self.state = 0
        usual = collections.defaultdict(list)  # by kind of run: changes for each commit of those that came to their end
        seen = collections.Counter()
        started = time.monotonic()
        while seen["kills"] < KILLS:
            killed, committed = self.one_round(usual)
            seen["kills" if killed else "runs that came to their end"] += 1
            if killed:
                seen["of them after a commit of the run" if committed else "of them before its first commit"] += 1
            if killed and seen["kills"] % 50 == 0:
                print(f"{seen['kills']} kills after {time.monotonic() - started:.0f} s", flush=True)
            self.assertLess(seen["runs that came to their end"], 30 + KILLS)
        print(", ".join(f"{count} {what}" for what, count in seen.items()), f"in {time.monotonic() - started:.0f} s", flush=True)
        self.assertGreater(seen["of them after a commit of the run"], 0)


if __name__ == "__main__":
    command.main()
