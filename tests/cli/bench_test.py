#!/usr/bin/env python3
"""Runs the real collet-bench: the JSON of a short run against docs/schema, the exit codes.

usage: bench_test.py COLLET_BENCH SCHEMA_FOLDER [unittest arguments]
"""

import copy
import json
import os
import pathlib
import subprocess
import sys
import unittest

import jsonschema

BENCH = sys.argv[1]
SCHEMA = json.loads((pathlib.Path(sys.argv[2]) / "bench.json").read_text())


def run(*words, **variables):
    environment = {**os.environ, **variables}
    return subprocess.run([BENCH, *words], capture_output=True, text=True, timeout=240, env=environment)


class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.done = run("kernels", "--quick", "--device", "cpu", "--json")
        cls.answer = json.loads(cls.done.stdout)

    def test_the_cpu_answers_as_the_schema_says(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        jsonschema.Draft202012Validator(SCHEMA).validate(self.answer)

    def test_the_schema_is_one_and_refuses_what_is_no_answer(self):
        validator = jsonschema.Draft202012Validator(SCHEMA)
        validator.check_schema(SCHEMA)
        self.assertFalse(validator.is_valid({**self.answer, "version": 2}))
        self.assertFalse(validator.is_valid({**self.answer, "more": 0}))
        for key in SCHEMA["properties"]["results"]["items"]["required"]:
            without = copy.deepcopy(self.answer)
            del without["results"][0][key]
            self.assertFalse(validator.is_valid(without), key)

    def test_every_row_of_the_cpu_names_its_tier(self):
        self.assertGreater(len(self.answer["results"]), 0)
        for row in self.answer["results"]:
            self.assertEqual(row["backend"], "cpu", row)
            self.assertIn(row.get("tier"), ("interpreter", "native"), row)

    def test_the_ratio_is_ours_over_the_reference(self):
        for row in self.answer["results"]:
            self.assertAlmostEqual(row["ratio"], row["ours"] / row["reference"], places=6, msg=row)


class Check(unittest.TestCase):
    def test_without_valgrind_the_instructions_are_missed(self):
        done = run("host", "--check=steady", "--device", "null", PATH="/nonexistent")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("missed: instructions, launch is left out: valgrind was not found.", done.stderr)

    def test_the_steady_figures_of_a_launch_are_all_measured(self):
        done = run("host", "--check=steady", "--device", "null", "--json")
        rows = json.loads(done.stdout)["results"]
        jsonschema.Draft202012Validator(SCHEMA).validate({"version": 1, "results": rows})
        self.assertEqual({row["unit"] for row in rows}, {"instructions", "allocations", "bytes"})
        self.assertTrue(all("limit" in row for row in rows))
        # How many instructions there are depends on how this build was optimised.
        missed = [row["case"] for row in rows if row["ours"] > row["limit"]]
        self.assertEqual(missed, [row["case"] for row in rows if row.get("missed")])
        self.assertEqual(done.returncode, 1 if missed else 0, done.stderr)


class Usage(unittest.TestCase):
    def test_wrong_words_are_code_2(self):
        wrong = ([], ["kernel"], ["kernels", "--quik"], ["launch", "--quick"], ["kernels", "--pairs", "0"],
                 ["kernels", "--quick", "--check"], ["launch", "--check=steady"])
        for words in wrong:
            done = run(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn("usage: collet-bench SUITE", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
