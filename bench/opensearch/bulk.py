#!/usr/bin/env python3
"""From a _bulk file to a searchable index of a real OpenSearch node: `postern opensearch build` and a restore, against _bulk, in turns.

  bench/opensearch/bulk.py             two kinds of documents, 200,000 each, 5 rounds: about 25 minutes
  bench/opensearch/bulk.py --short     a small one, to see that it works: about 3 minutes

Ours: the command as a whole process, the two API calls it prints, and until the index is green and a search counts every document.
_bulk: the best of several batch sizes and one or two clients, found beforehand; no replicas, no refreshes until the end, translog
synced in the background; until a refresh and a search that counts every document. Nothing is flushed: what _bulk made lies in memory
and the translog by then, what was restored is committed. The node is warm: it took the documents several times before. Restores are
not slowed down (indices.recovery.max_bytes_per_sec 0, as docs/opensearch.md advises) unless --restore-limit says otherwise.
"""
import argparse
import http.client
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import common  # noqa: E402
sys.path.insert(0, str(common.ROOT / "tests/opensearch"))
import bulk_documents  # noqa: E402
import builders  # noqa: E402
import node as opensearch  # noqa: E402

BATCHES = (500, 2000, 8000)
CLIENTS = (1, 2)


def parse():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--cases", default="articles,events")
    p.add_argument("--docs", type=int)
    p.add_argument("--rounds", type=int)
    p.add_argument("--shards", type=int, default=2)
    p.add_argument("--heap", default="512m", help="of the node (512m)")
    p.add_argument("--restore-limit", default="0", help="indices.recovery.max_bytes_per_sec (0: none; OpenSearch's default is 40mb)")
    p.add_argument("--short", action="store_true")
    p.add_argument("--fresh", action="store_true", help="measure again what was measured at this commit")
    p.add_argument("--build-dir", type=pathlib.Path, default=common.ROOT / "build")
    p.add_argument("--postern", type=pathlib.Path, help="this command, as it is, instead of the one of the build folder")
    p.add_argument("--results", type=pathlib.Path, default=common.RESULTS)
    p.add_argument("--out", help="where the node and the repositories lie (a temporary folder)")
    a = p.parse_args()
    a.docs = a.docs or (30_000 if a.short else 200_000)
    a.rounds = a.rounds or (3 if a.short else 5)
    return a


def count(node, index):
    return node.search(index, {"size": 0, "track_total_hits": True})["hits"]["total"]["value"]


def send(port, index, pieces, clients):
    """_bulk with so many clients, each with a connection of its own."""
    work, failed = queue.SimpleQueue(), []
    for piece in pieces:
        work.put(piece)

    def client():
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        while not failed:
            try:
                piece = work.get_nowait()
            except queue.Empty:
                break
            connection.request("POST", f"/{index}/_bulk?filter_path=errors", piece, {"Content-Type": "application/x-ndjson"})
            answer = connection.getresponse()
            data = answer.read()
            if answer.status != 200 or json.loads(data)["errors"]:
                failed.append(f"_bulk: {answer.status} {data[:300]}")
        connection.close()

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise RuntimeError(failed[0])


class Bench:
    def __init__(self, a, node, case):
        self.a, self.node, self.case = a, node, case
        self.path = bulk_documents.path_of(case, a.docs)
        self.mappings = bulk_documents.MAPPINGS[case]
        self.schema = node.data / f"{case}.json"
        self.schema.write_text(json.dumps(self.mappings))

    def bulk(self, batch, clients):
        """Seconds until searchable."""
        pieces = bulk_documents.batches(self.path, batch)
        self.node.create("bulk", self.mappings, self.a.shards, {"translog.durability": "async"})
        started = time.perf_counter()
        send(self.node.port, "bulk", pieces, clients)
        self.node.refresh("bulk")
        found = count(self.node, "bulk")
        seconds = time.perf_counter() - started
        self.expect(found)
        self.node.delete("bulk")
        return {"seconds": seconds}

    def postern(self):
        """Seconds until searchable, of them those of the build."""
        folder = self.node.repo / "bench"
        shutil.rmtree(folder, ignore_errors=True)
        started = time.perf_counter()
        calls = builders.Postern(self.a.postern).run("built", self.schema, [self.path], self.a.shards, folder)
        built = time.perf_counter() - started
        builders.make_calls(self.node, calls, "built")
        found = count(self.node, "built")
        seconds = time.perf_counter() - started
        self.expect(found)
        self.node.delete("built")
        self.node.must("DELETE", "_snapshot/" + calls[0][1].rsplit("/", 1)[1])
        return {"seconds": seconds, "build_seconds": built}

    def expect(self, found):
        if found != self.a.docs:
            raise RuntimeError(f"{self.case}: {found} documents are found, {self.a.docs} went in")

    def best(self):
        """The fastest (batch, clients) of two tries each; this warms the node as well."""
        times = {}
        for _ in range(2):
            for batch in BATCHES:
                for clients in CLIENTS:
                    seconds = self.bulk(batch, clients)["seconds"]
                    times[batch, clients] = min(seconds, times.get((batch, clients), seconds))
        for (batch, clients), seconds in times.items():
            print(f"  {self.case}: _bulk of {batch} by {clients}: {self.a.docs / seconds:,.0f} docs/s", file=sys.stderr, flush=True)
        return min(times, key=times.get)


def main():
    a = parse()
    reason = opensearch.why_not()
    if reason is not None:
        sys.exit(f"bench-opensearch: {reason}")
    if a.postern is None:
        subprocess.run(["cmake", "--build", str(a.build_dir), "--target", "postern"], check=True, stdout=subprocess.DEVNULL)
        a.postern = a.build_dir / "postern"
    store = common.Store(a.results, "opensearch_short" if a.short else "opensearch", a.fresh)
    out = pathlib.Path(tempfile.mkdtemp(prefix="postern-bench-opensearch-", dir=a.out))
    print(f"{common.machine()}; commit {common.commit()}; {a.docs:,} documents, {a.shards} shards, heap {a.heap}; load {os.getloadavg()[0]:.1f}")
    try:
        with opensearch.Node(out / "node", out / "repositories", f"-Xms{a.heap} -Xmx{a.heap}") as node:
            node.must("PUT", "_cluster/settings", {"persistent": {"indices.recovery.max_bytes_per_sec": a.restore_limit}})
            for case in a.cases.split(","):
                bench = Bench(a, node, case)
                keys = [{"case": case, "docs": a.docs, "shards": a.shards, "heap": a.heap, "restore_limit": a.restore_limit, "round": i} for i in range(a.rounds)]
                missing = [key for key in keys if not store.has(key)]
                if not missing:
                    continue
                batch, clients = bench.best()
                bench.postern()
                for key in missing:
                    ours_first = key["round"] % 2 == 0
                    first = bench.postern() if ours_first else bench.bulk(batch, clients)
                    second = bench.bulk(batch, clients) if ours_first else bench.postern()
                    ours, theirs = (first, second) if ours_first else (second, first)
                    store.add(key, {"postern": ours, "bulk": {**theirs, "batch": batch, "clients": clients}, "megabytes": bench.path.stat().st_size / 1e6})
                    print(f"  {case}: {theirs['seconds']:.1f} s by _bulk, {ours['seconds']:.1f} s by postern ({ours['build_seconds']:.1f} s of building)",
                          file=sys.stderr, flush=True)
    finally:
        shutil.rmtree(out, ignore_errors=True)
    same = {"docs": a.docs, "shards": a.shards, "heap": a.heap, "restore_limit": a.restore_limit}
    records = [r for r in common.latest(a.results, store.path.stem) if same.items() <= r["key"].items()]
    for case in a.cases.split(","):
        ratios = common.spread(r["values"]["bulk"]["seconds"] / r["values"]["postern"]["seconds"] for r in records if r["key"]["case"] == case)
        print(f"{case}: a searchable index {ratios['median']:.2f} times as fast as by _bulk ({ratios['lowest']:.2f}-{ratios['highest']:.2f}, {ratios['count']} rounds)")


if __name__ == "__main__":
    main()
