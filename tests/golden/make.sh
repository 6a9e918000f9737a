#!/usr/bin/env bash
# Makes the golden indexes anew: inputs from make_inputs.py, indexes by Lucene itself (tests/java/oracle).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
python3 make_inputs.py
for case in */case.json; do
  dir=$(dirname "$case")
  rm -rf "$dir/index"
  mapfile -t options < <(python3 -c 'import json,sys; print("\n".join(json.load(open(sys.argv[1]))["options"]))' "$case")
  # A seed makes Lucene's random ids the same in every run. It also decides whether LZ4 hashes little- or big-endian words
  # (docs/formats/12 §3): take one, like 2, that gives the order of a run without a seed.
  ORACLE_JAVA_OPTS="-Dtests.seed=2" ../java/oracle build "$dir/docs.jsonl.gz" "$dir/schema.json" "$dir/index" "${options[@]}"
  ../java/oracle check "$dir/index"
  rm -f "$dir/index/write.lock"
done
du -sb .
