#!/usr/bin/env python3
"""An OpenSearch index built by Spark: one shard for each partition, then put together.

    opensearch_pyspark.py --postern build/postern --mappings M.json --index NAME --shards 4 --repository DIR --id-field id INPUT...

INPUT: files or folders of JSON Lines, anything that Spark reads as text. DIR must be storage that all workers and the driver share, and
the command must be installed on each. Wants pyspark 4 (and Java 17 or 21). Runs in local mode with two workers unless spark-submit says otherwise.
"""
import argparse
import json
import pathlib
import subprocess

from pyspark import SparkConf
from pyspark.sql import SparkSession

from opensearch_routing import shard_of


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--postern", "--mappings", "--index", "--repository", "--id-field"):
        parser.add_argument(name, required=True)
    parser.add_argument("--routing-field")
    parser.add_argument("--shards", type=int, required=True)
    parser.add_argument("inputs", nargs="+", metavar="INPUT")
    return parser.parse_args()


def shard_of_line(line, o):
    """The fields are top-level ones here; their texts are what the command takes for ids and routings."""
    document = json.loads(line, parse_int=str, parse_float=str)
    routing = document.get(o.routing_field) if o.routing_field else None
    return shard_of(routing or document[o.id_field], o.shards)


def build_shard(shard, lines, o):
    """Pipes a partition into the command. Yields the path of the shard's manifest."""
    command = [o.postern, "opensearch", "build", "--mappings", o.mappings, "--index", o.index, "--shards", str(o.shards), "--shard", str(shard),
               "--repository", o.repository, "--input-format", "jsonl", "--id-field", o.id_field, "--threads", "1", "-"]
    if o.routing_field:
        command += ["--routing-field", o.routing_field]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        for line in lines:
            process.stdin.write(line.encode() + b"\n")
    except BrokenPipeError:
        pass  # the command has ended; its message says why
    out, error = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"shard {shard}: {error.decode()}")
    yield out.decode().splitlines()[-1]


def main():
    o = options()
    # What tasks get must not hang on the driver's folder.
    o.mappings, o.repository, o.postern = (str(pathlib.Path(p).resolve()) for p in (o.mappings, o.repository, o.postern))
    builder = SparkSession.builder.appName("postern opensearch")
    if not SparkConf().contains("spark.master"):
        builder = builder.master("local[2]")
    spark = builder.getOrCreate()
    spark.sparkContext.addPyFile(str(pathlib.Path(__file__).with_name("opensearch_routing.py")))
    lines = spark.read.text(o.inputs).rdd.map(lambda row: row.value).filter(lambda line: line.strip())
    manifests = (lines.map(lambda line: (shard_of_line(line, o), line))
                 .partitionBy(o.shards, lambda shard: shard)
                 .values()
                 .mapPartitionsWithIndex(lambda shard, part: build_shard(shard, part, o))
                 .collect())
    spark.stop()
    subprocess.run([o.postern, "opensearch", "assemble", "--repository", o.repository, *manifests], check=True)


if __name__ == "__main__":
    main()
