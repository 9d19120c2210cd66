#!/usr/bin/env python3
"""tests/browser/run.py passes only where a browser gave every byte that was recorded.

usage: browser_test.py SOURCE_FOLDER [unittest arguments]

The browser here is a program that answers as the page would; .ci/deep browser has the real one.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])

# Says of each record what its file holds, and ends as ANSWER says.
BROWSER = """#!{python}
import json, sys, urllib.request
if sys.argv[1:] == ["--version"]:
    sys.exit(print("made-up 1.0"))
base = sys.argv[-1].rstrip("/")
get = lambda path: urllib.request.urlopen(base + path).read().decode()
post = lambda path, value: urllib.request.urlopen(base + path, json.dumps(value).encode())
for name in json.loads(get("/records"))[{first}:]:
    post("/result", {{"name": name, "wrong": json.loads(get("/records/" + name))}})
post("/done", {end})
"""


class Browser(unittest.TestCase):
    def run_with(self, records, first=0, end=None):
        """The exit code and the output for records that are NAME: what the browser says is wrong with it."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for number, (name, wrong) in enumerate(records.items()):
                (root / f"{number:05}_{name}.json").write_text(f'"{wrong}"')
            program = root / "browser"
            program.write_text(BROWSER.format(python=sys.executable, first=first, end=end or {"adapter": "made up"}))
            program.chmod(0o755)
            done = subprocess.run([sys.executable, SOURCE / "tests/browser/run.py", root, "--chromium", program, "--seconds", "60"],
                                  capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout + done.stderr

    def test_equal_bytes_pass(self):
        code, said = self.run_with({"A": "", "B": ""})
        self.assertEqual(code, 0, said)
        self.assertIn("2 dispatches of 2 kernels ran, 0 differ, 0 differ and are listed, 0 did not run", said)
        self.assertIn("adapter: made up", said)

    def test_a_byte_that_differs_fails(self):
        code, said = self.run_with({"A": "", "B": "byte 3 of buffer 0 is 1, not 2"})
        self.assertEqual(code, 1, said)
        self.assertIn("00001_B.json: byte 3 of buffer 0 is 1, not 2", said)

    def test_what_is_listed_may_differ(self):
        code, said = self.run_with({"A": "", "ExchangesLoseNothing": "byte 0 of buffer 0 is 1, not 2"})
        self.assertEqual(code, 0, said)
        self.assertIn("1 differ and are listed", said)

    def test_a_record_that_did_not_run_fails(self):
        code, said = self.run_with({"A": "", "B": ""}, first=1)
        self.assertEqual(code, 1, said)
        self.assertIn("1 did not run", said)

    def test_an_error_of_the_page_fails(self):
        code, said = self.run_with({"A": ""}, end={"error": "This browser has no WebGPU."})
        self.assertEqual(code, 1, said)
        self.assertIn("The page ended with: This browser has no WebGPU.", said)

    def test_no_record_proves_nothing(self):
        code, said = self.run_with({})
        self.assertEqual(code, 1, said)
        self.assertIn("nothing is proven", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
