#!/usr/bin/env bash
# demo.sh POSTERN [FOLDER]: indexes real text of this machine and looks three terms up.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
postern=$(realpath "$1")
work=${2:-$here/../build/demo}
mkdir -p "$work"
cd "$work"

step() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() { printf '$ %s\n' "$*"; "$@"; }

step "1. Text: licences, manuals, documents of the packages and languages on this machine"
python3 "$here/collect_text.py" text.jsonl --megabytes "${DEMO_MEGABYTES:-100}"
cp "$here/demo.schema.json" schema.json
ln -sf "$postern" postern

step "2. An index that Lucene 10.4 opens"
run ./postern index --create --out index --schema schema.json text.jsonl

step "3. Three look-ups, read back from the terms dictionary and the postings"
run ./postern lookup --index index --field body warranty merchantability unicode

if "$here/../tests/java/oracle" help >/dev/null 2>&1; then
  step "4. And Lucene itself: CheckIndex, and a search"
  printf 'warranty AND merchantability\nunicode -python\n' >queries.txt
  run "$here/../tests/java/oracle" check index
  run "$here/../tests/java/oracle" search index queries.txt --field body --top 3 --schema schema.json
else
  step "(Java 21 or newer and Maven are not here; with them Lucene would check and search this index now)"
fi
