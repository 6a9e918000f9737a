"""Who builds the snapshot that is restored: postern, or, to test the check itself, the node."""
import json
import re
import subprocess

CALL = re.compile(r"^curl .*-X (PUT|POST) 'http://localhost:9200(/[^']+)' -d '(\{.*\})'$")


class BuildFailed(Exception):
    def __init__(self, code, output):
        super().__init__(f"exit code {code}\n{output}")
        self.code = code
        self.output = output


class Postern:
    """`postern opensearch build`."""

    def __init__(self, path):
        self.path = path
        self.printed = ""

    def build(self, node, index, mappings, inputs, shards, folder, *options):
        """The API calls that the command tells its user to make: [(method, path, body)]."""
        del node
        folder.parent.mkdir(parents=True, exist_ok=True)
        schema = folder.with_name(folder.name + ".mappings.json")
        schema.write_text(json.dumps(mappings))
        return self.run(index, schema, inputs, shards, folder, *options)

    def run(self, index, schema, inputs, shards, folder, *options):
        return self.calls("build", "--mappings", schema, "--index", index, "--shards", shards, "--repository", folder, *options, *inputs)

    def assemble(self, node, index, mappings, inputs, shards, folder):
        """As `build`, one run for each shard, then `assemble`."""
        del node
        folder.mkdir(parents=True)
        schema = folder.with_name(folder.name + ".mappings.json")
        schema.write_text(json.dumps(mappings))
        for shard in range(shards):
            self.command("build", "--mappings", schema, "--index", index, "--shards", shards, "--shard", shard, "--repository", folder, *inputs)
        return self.calls("assemble", "--repository", folder, *(folder / "shards" / str(shard) / "manifest.json" for shard in range(shards)))

    def command(self, *words):
        done = subprocess.run([str(word) for word in (self.path, "opensearch", *words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise BuildFailed(done.returncode, done.stdout + done.stderr)
        self.printed = done.stdout

    def calls(self, *words):
        self.command(*words)
        calls = [match.groups() for match in map(CALL.match, self.printed.splitlines()) if match]
        if len(calls) != 2:
            raise BuildFailed(0, f"two API calls were expected:\n{self.printed}")
        return calls


class Native:
    """The node itself: fills an index, takes a snapshot, deletes the index."""

    def assemble(self, *arguments):
        return self.build(*arguments)

    def build(self, node, index, mappings, inputs, shards, folder, *options):
        data = b"".join(gunzipped(path) for path in inputs)
        if "--id-field" in options:
            field = options[options.index("--id-field") + 1]
            data = b"".join(json.dumps({"index": {"_id": json.loads(line)[field]}}).encode() + b"\n" + line + b"\n" for line in data.splitlines())
        node.create(index, mappings, shards)
        if data:
            node.bulk(data, index)
        node.flush(index)
        name = folder.name
        node.must("PUT", f"_snapshot/{name}", {"type": "fs", "settings": {"location": str(folder)}})
        node.must("PUT", f"_snapshot/{name}/built?wait_for_completion=true", {"indices": index, "include_global_state": False})
        node.must("DELETE", f"_snapshot/{name}")
        node.delete(index)
        return [("PUT", "/_snapshot/built", json.dumps({"type": "fs", "settings": {"location": str(folder), "readonly": True}})),
                ("POST", "/_snapshot/built/built/_restore?wait_for_completion=true", json.dumps({"indices": index}))]


def gunzipped(path):
    import gzip
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def make_calls(node, calls, index):
    """Makes the calls as they were printed, and waits until the index is green. The last answer. One node can have no replicas."""
    for method, path, body in calls:
        answer = node.must(method, path, body)
    node.must("PUT", f"{index}/_settings", {"index.number_of_replicas": 0})
    node.wait(index)
    return answer
