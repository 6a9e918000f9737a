#!/usr/bin/env python3
"""An OpenSearch index built by Ray: pieces of the input are routed in parallel, then shards built in parallel, then put together.

    opensearch_ray.py --postern build/postern --mappings M.json --index NAME --shards 4 --repository DIR --id-field id INPUT...

INPUT: files of JSON Lines. They and DIR must be on storage that all workers and the driver share, and the command must be installed on
each. Starts two workers on this machine unless RAY_ADDRESS names a cluster.
"""
import argparse
import os
import pathlib
import subprocess

import ray

PIECE = 64 << 20  # bytes of input that one task routes


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--postern", "--mappings", "--index", "--repository", "--id-field"):
        parser.add_argument(name, required=True)
    parser.add_argument("--routing-field")
    parser.add_argument("--shards", type=int, required=True)
    parser.add_argument("--piece", type=int, default=PIECE, help="bytes of input that one task routes")
    parser.add_argument("inputs", nargs="+", metavar="INPUT")
    return parser.parse_args()


def run(o, what, *words, data=None):
    """The lines that the command answers."""
    fields = ["--id-field", o.id_field] + (["--routing-field", o.routing_field] if o.routing_field else [])
    command = [o.postern, "opensearch", what, "--shards", str(o.shards), "--input-format", "jsonl", *fields, *words, "-"]
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode())
    return done.stdout.decode().splitlines()


def lines_between(path, begin, end):
    """The lines that begin in these bytes of a file, blank ones left out."""
    with open(path, "rb") as file:
        if begin > 0:  # the line that holds the byte before belongs to the piece before
            file.seek(begin - 1)
            file.readline()
        lines = []
        while file.tell() < end:
            line = file.readline()
            if not line:
                break
            if line.strip():
                lines.append(line if line.endswith(b"\n") else line + b"\n")
    return lines


@ray.remote
def route(o, path, begin, end):
    """The lines of a piece, for each shard."""
    lines = lines_between(path, begin, end)
    shares = [[] for _ in range(o.shards)]
    for shard, line in zip(run(o, "route", data=b"".join(lines)), lines):
        shares[int(shard)].append(line)
    shares = [b"".join(share) for share in shares]
    return shares if o.shards > 1 else shares[0]


@ray.remote
def build(o, shard, *shares):
    """The path of the shard's manifest."""
    return run(o, "build", "--mappings", o.mappings, "--index", o.index, "--shard", str(shard), "--repository", o.repository, "--threads", "1",
               data=b"".join(shares))[-1]


def main():
    o = options()
    o.mappings, o.repository, o.postern, *o.inputs = (str(pathlib.Path(p).resolve()) for p in (o.mappings, o.repository, o.postern, *o.inputs))
    ray.init(**({} if os.environ.get("RAY_ADDRESS") else {"num_cpus": 2}), include_dashboard=False, log_to_driver=False)
    pieces = []
    for path in o.inputs:
        size = os.path.getsize(path)
        for begin in range(0, size, o.piece):
            shares = route.options(num_returns=o.shards).remote(o, path, begin, min(begin + o.piece, size))
            pieces.append(shares if o.shards > 1 else [shares])
    # A list of what each piece has for the shard: Ray gives the tasks the values.
    manifests = ray.get([build.remote(o, shard, *[piece[shard] for piece in pieces]) for shard in range(o.shards)])
    subprocess.run([o.postern, "opensearch", "assemble", "--repository", o.repository, *manifests], check=True)


if __name__ == "__main__":
    main()
