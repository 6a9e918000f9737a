"""What OpenSearch itself writes for given documents, and whether a folder of ours holds the same.

    with Node(data, repo) as node:
        folder, = native.shards(node, "docs", mappings, ndjson, out)
    print(native.differences(folder, ours))

native.py MAPPINGS BULK.ndjson OUT [--shards N] [--refuse]   does the first part from the command line: OUT/0, OUT/1, …
"""
import argparse
import json
import pathlib
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "twin"))
import oracle  # noqa: E402
from node import Node, why_not  # noqa: E402


def bulk_lines(documents):
    """NDJSON for `_bulk` from (id, source) or (id, source, routing); a source is a dict or its JSON text, an id may be None."""
    lines = []
    for identifier, source, *routing in documents:
        action = {} if identifier is None else {"_id": identifier}
        if routing and routing[0] is not None:
            action["routing"] = routing[0]
        lines.append(json.dumps({"index": action}))
        lines.append(source if isinstance(source, str) else json.dumps(source))
    return "\n".join(lines) + "\n"


def shards(node, index, mappings, ndjson, out, number=1, settings=None, refused=False):
    """Fills a new index through one `_bulk`, so that each shard is one segment, flushes it and copies the Lucene folders of its
    shards to OUT/0, OUT/1, … The index stays. Refused documents are an error unless `refused`; then they are returned, too."""
    node.delete(index)
    node.create(index, mappings, number, settings)
    items = node.bulk(ndjson, index)
    bad = [item for item in items for answer in item.values() if answer["status"] >= 300]
    if bad and not refused:
        raise RuntimeError(f"refused: {json.dumps(bad[:3])}")
    node.flush(index)
    folders = []
    for shard in range(number):
        to = pathlib.Path(out) / str(shard)
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(node.shard_folder(index, shard), to, ignore=shutil.ignore_patterns("write.lock"))
        folders.append(to)
    return (folders, bad) if refused else folders


def differences(native, ours, *options):
    """What the oracle finds different (strings), commit user data aside. Options: --layout, --ignore-segmentation, --by-id …"""
    code, output = oracle.call("compare", native, ours, *options, "--max", "60")
    if code > 1:
        raise RuntimeError(output)
    found = [line for line in output.splitlines() if line.startswith("DIFF ")]
    return [line for line in found if not line.startswith("DIFF commit user data")]


def main():
    parser = argparse.ArgumentParser(description="Fills a node's index through _bulk and copies its shards out.")
    parser.add_argument("mappings", type=pathlib.Path)
    parser.add_argument("bulk", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--refuse", action="store_true", help="tell what is refused and go on")
    arguments = parser.parse_args()
    reason = why_not()
    if reason is not None:
        sys.exit(reason)
    with tempfile.TemporaryDirectory(prefix="postern-node-") as work, Node(f"{work}/data", f"{work}/repo") as node:
        _, bad = shards(node, "docs", json.loads(arguments.mappings.read_text()), arguments.bulk.read_bytes(), arguments.out,
                        arguments.shards, refused=True)
        for item in bad:
            print(json.dumps(item))
        print(json.dumps(node.mappings("docs")))
    return 1 if bad and not arguments.refuse else 0


if __name__ == "__main__":
    sys.exit(main())
