#!/usr/bin/env python3
"""test_examples.py BUILD_DIR: examples/opensearch_pyspark.py and opensearch_ray.py with two workers on this machine, as they stand.

Wants pyspark and ray in this Python; without them it is skipped (exit code 77) unless POSTERN_REQUIRE_EXAMPLES=1.
"""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS / "cli"))
import command  # noqa: E402
import test_opensearch  # noqa: E402  also finds the examples' routing function

EXAMPLES = TESTS.parent / "examples"
MISSING = [name for name in ("pyspark", "ray") if importlib.util.find_spec(name) is None]


class Examples(test_opensearch.OpenSearchTest):
    def run_example(self, name, *words):
        documents = test_opensearch.many(2000)
        lines = "".join(json.dumps({"id": id, "user": routing, **source}) + "\n" for id, source, routing in documents)
        half = lines.index("\n", len(lines) // 2) + 1
        inputs = [self.write("a.jsonl", lines[:half]), self.write("b.jsonl", lines[half:] + "\n")]
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable}
        done = subprocess.run([sys.executable, EXAMPLES / name, "--postern", command.POSTERN, "--mappings", self.mappings, "--index", "docs", "--shards", "3",
                               "--repository", self.repo, "--id-field", "id", "--routing-field", "user", *words, *inputs],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertEqual(test_opensearch.expected(documents, 3), self.documents())
        self.assertIn("/_snapshot/postern/built/_restore", done.stdout)

    def test_pyspark(self):
        self.run_example("opensearch_pyspark.py")

    def test_ray(self):
        self.run_example("opensearch_ray.py", "--piece", "30000")


if __name__ == "__main__":
    if MISSING and os.environ.get("POSTERN_REQUIRE_EXAMPLES") != "1":
        print(f"skipped: no {' and no '.join(MISSING)} here")
        sys.exit(77)
    command.main()
