"""A real OpenSearch node (node/SingleNode.java) for tests: starts it, talks to it, finds its shards on the disk."""
import json
import os
import pathlib
import select
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
LAUNCHER = HERE / "node" / "run"
START_SECONDS = 400


def why_not():
    """None if the node can run here, else the reason why not. Builds it the first time."""
    done = subprocess.run([LAUNCHER, "--build"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return None if done.returncode == 0 else done.stdout.strip() or f"exit code {done.returncode}"


class ApiError(Exception):
    """An answer of 300 or above that was not expected."""

    def __init__(self, method, path, status, answer):
        text = answer if isinstance(answer, str) else json.dumps(answer)
        super().__init__(f"{method} {path}: {status} {text[:2000]}")
        self.status = status
        self.answer = answer


class Node:
    """One node with its data and its snapshot repositories in two folders. A context manager; the process ends with it."""

    def __init__(self, data_folder, repo_folder, java_options=None):
        self.data = pathlib.Path(data_folder).resolve()
        self.repo = pathlib.Path(repo_folder).resolve()
        self.log = self.data / "node.log"
        self.java_options = java_options
        self.process = None
        self.port = None
        self.version = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        """Waits until the node answers; its port is another one each time."""
        (self.data / "home" / "config").mkdir(parents=True, exist_ok=True)
        self.repo.mkdir(parents=True, exist_ok=True)
        environment = dict(os.environ)
        if self.java_options is not None:
            environment["NODE_JAVA_OPTS"] = self.java_options
        with open(self.data / "stderr.log", "a") as errors:
            self.process = subprocess.Popen([LAUNCHER, self.data / "home", self.data / "data", self.repo, self.log],
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, env=environment)
        until, line = time.monotonic() + START_SECONDS, b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, until - time.monotonic()))
            part = os.read(self.process.stdout.fileno(), 200) if ready else b""
            if not part:
                self.stop()
                raise RuntimeError(f"the node did not start: {self.what_it_said()}")
            line += part
        _, self.version, port = line.decode().split()
        self.port = int(port)

    def stop(self):
        """Ends the node in order; it goes on from its folders at the next start."""
        if self.process is None:
            return
        self.process.stdin.close()
        try:
            self.process.wait(300)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.process = None

    def restart(self):
        self.stop()
        self.start()

    def what_it_said(self, lines=30):
        """The end of what the node logged."""
        text = ""
        for path in (self.data / "stderr.log", self.log):
            if path.exists():
                text += "\n".join(path.read_text(errors="replace").splitlines()[-lines:]) + "\n"
        return text

    def raw(self, method, path, body=None, content_type="application/json", timeout=600):
        """(status, bytes) of a request; body: bytes, a string, or anything that becomes JSON."""
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{urllib.parse.quote(path.lstrip('/'), safe='/?&=%,*:+')}", data=body,
                                         method=method, headers={"Content-Type": content_type})
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def request(self, method, path, body=None, **options):
        """(status, answer): the answer's JSON, or its text where it is none."""
        status, data = self.raw(method, path, body, **options)
        try:
            return status, json.loads(data)
        except ValueError:
            return status, data.decode(errors="replace")

    def must(self, method, path, body=None, **options):
        """The answer's JSON; ApiError if its status is not below 300."""
        status, answer = self.request(method, path, body, **options)
        if status >= 300:
            raise ApiError(method, path, status, answer)
        return answer

    # --- indexes and documents

    def create(self, index, mappings=None, shards=1, settings=None):
        """An index without replicas and without refreshes of its own: segments are made by `flush` and `refresh` alone."""
        body = {"settings": {"number_of_shards": shards, "number_of_replicas": 0, "refresh_interval": "-1", **(settings or {})}}
        if mappings is not None:
            body["mappings"] = mappings.get("mappings", mappings)
        self.must("PUT", index, body)
        self.wait(index)

    def delete(self, index):
        return self.request("DELETE", index)[0]

    def bulk(self, data, index=None):
        """`_bulk` with NDJSON (bytes or string). The answers of its actions, each {"index": {…}} or the like, refused ones too."""
        path = f"{index}/_bulk" if index else "_bulk"
        return self.must("POST", path, data, content_type="application/x-ndjson")["items"]

    def wait(self, index, status="green", seconds=300):
        """Until all shards of the index are there."""
        return self.must("GET", f"_cluster/health/{index}?wait_for_status={status}&timeout={seconds}s")

    def refresh(self, index):
        self.must("POST", f"{index}/_refresh")

    def flush(self, index):
        """Commits every shard: its Lucene folder is complete then."""
        self.must("POST", f"{index}/_flush?force=true&wait_if_ongoing=true")

    def force_merge(self, index, segments=1):
        self.must("POST", f"{index}/_forcemerge?max_num_segments={segments}&flush=true")
        self.refresh(index)

    def search(self, index, body=None, **options):
        return self.must("POST", f"{index}/_search", body if body is not None else {}, **options)

    def mappings(self, index):
        return self.must("GET", f"{index}/_mapping")[index]["mappings"]

    def restore(self, location, index, repository="built", snapshot="built", register=True, **restore):
        """Registers the folder `location` below `repo_folder` read-only and restores `index` from it; (status, answer).
        Options such as rename_pattern go into the restore's body."""
        if register:
            self.must("PUT", f"_snapshot/{repository}",
                      {"type": "fs", "settings": {"location": str(self.repo / location), "readonly": True}})
        return self.request("POST", f"_snapshot/{repository}/{snapshot}/_restore?wait_for_completion=true", {"indices": index, **restore})

    def shard_folder(self, index, shard=0):
        """The Lucene folder of a shard."""
        uuid = self.must("GET", f"{index}/_settings")[index]["settings"]["index"]["uuid"]
        return self.data / "data" / "nodes" / "0" / "indices" / uuid / str(shard) / "index"


def main():
    """node.py DATA REPOSITORIES [PORT]: a node until its standard input ends (Ctrl-D), for trying things by hand."""
    if len(sys.argv) not in (3, 4):
        sys.exit(main.__doc__)
    reason = why_not()
    if reason is not None:
        sys.exit(reason)
    with Node(*sys.argv[1:3], f"-Xms512m -Xmx512m -Dnode.port={sys.argv[3] if len(sys.argv) == 4 else 0}") as node:
        print(f"OpenSearch {node.version} at http://127.0.0.1:{node.port}, repositories below {node.repo}; Ctrl-D ends it", flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
