#!/usr/bin/env python3
"""schema_examples.py --postern PATH: what docs/schema.md shows is what happens.

Its worked examples go through `postern index` and through Lucene: both indexes must dump as the page says. Its mistakes must bring
the messages of the page. Exit codes: 0 good, 1 not, 77 no Java here (an error if POSTERN_REQUIRE_TWIN is set).
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import oracle  # noqa: E402

PAGE = HERE.parent.parent / "docs" / "schema.md"
EXAMPLE = re.compile(r"^### (.*?)\n.*?```json\n(.*?)```\n```json\n(.*?)```\n```text\n(.*?)```", re.M | re.S)
MISTAKE = re.compile(r"^\| `(\{.*?\})` \| (?:`(.*?)`)? ?\| `(.*)` \|$", re.M)


def section(title):
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(f"\n## {title}\n")
    end = text.find("\n## ", start + 1)
    return text[start:end if end > 0 else len(text)]


def schema_of(lines):
    """One field a line; a line that is no field is a member of the schema itself, as `"index_sort": […]`."""
    fields, more = [], {}
    for line in lines.splitlines():
        if line.startswith("{"):
            fields.append(json.loads(line))
        elif line:
            more |= json.loads("{" + line.rstrip(",") + "}")
    return json.dumps({"fields": fields} | more)


def held(index):
    code, output = oracle.call("dump", index)
    if code != 0:
        return output
    return "".join(line + "\n" for line in output.splitlines() if not line.startswith(("commit ", "segment ", "info ")))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--postern", required=True)
    arguments = parser.parse_args()
    reason = oracle.why_not()
    if reason is not None:
        print(f"schema examples: SKIPPED: {reason}")
        return 1 if os.environ.get("POSTERN_REQUIRE_TWIN") == "1" else 77
    postern = oracle.Postern(pathlib.Path(arguments.postern).resolve())
    failed, tried = 0, {"examples": 0, "mistakes": 0}

    def check(what, good, detail):
        nonlocal failed
        if not good:
            failed += 1
            print(f"FAILED {what}\n{detail}")

    with tempfile.TemporaryDirectory(prefix="postern-schema-") as temporary:
        folder = pathlib.Path(temporary)
        schema, docs = folder / "s.json", folder / "d.jsonl"
        for title, fields, documents, expected in EXAMPLE.findall(section("Worked examples")):
            tried["examples"] += 1
            schema.write_text(schema_of(fields), encoding="utf-8")
            docs.write_text(documents, encoding="utf-8")
            for out in ("lucene", "postern"):
                subprocess.run(["rm", "-rf", folder / out], check=True)
            code, output = oracle.call("build", docs, schema, folder / "lucene")
            check(f"{title}: Lucene takes it", code == 0, output)
            code, _, output = postern.index(docs, schema, folder / "postern", "--quiet")
            check(f"{title}: postern takes it", code == 0, output)
            for out in ("lucene", "postern"):
                dump = held(folder / out)
                check(f"{title}: {out} holds what the page says", dump == expected, dump)
        for field, document, message in MISTAKE.findall(section("What a mistake says")):
            tried["mistakes"] += 1
            schema.write_text(schema_of(field), encoding="utf-8")
            docs.write_text((document or "{}") + "\n", encoding="utf-8")
            subprocess.run(["rm", "-rf", folder / "postern"], check=True)
            code, _, output = postern.index(docs, schema, folder / "postern", "--quiet")
            check(f"{field} {document}", code == 1 and message in output, f"exit code {code}: {output}\nwant {message}")
    oracle.JVM.stop()
    rows = section("What a mistake says").count("\n| `")
    check("all rows of mistakes are read", tried["mistakes"] == rows, f"{tried['mistakes']} of {rows}")
    check("there are examples", tried["examples"] > 5, tried)
    print(f"schema examples: {tried['examples']} examples, {tried['mistakes']} mistakes, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
