#!/usr/bin/env python3
"""Drives scripts/evidence-run with programs that are made up, and scripts/support-matrix with results that are.

usage: evidence_test.py SOURCE_FOLDER [unittest arguments]
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])

# One device works, one ends its process.
CONFORMANCE = """#!/bin/sh
for word; do
  case $word in
    --list-devices) echo "vulkan:0 Good (Driver 1)"; echo "vulkan:1 Bad (Driver 2)"; exit 0 ;;
    --devices=vulkan:1) echo begun; kill -SEGV $$ ;;
    --results=*) results=${word#--results=} ;;
  esac
done
cat >"$results" <<END
{"version": 1, "whole": true, "devices": [{"id": "vulkan:0", "backend": "vulkan", "name": "Good", "type": "discrete",
  "driver": "Driver 1", "passed": 5, "failed": 0, "excluded": 1, "skipped": 0, "corpus": "3 executed, 0 refused"}]}
END
echo "vulkan:0 Good: 5 passed, 0 failed, 1 excluded, 0 skipped"
"""
TOOL = """#!/bin/sh
case $1 in doctor) echo '{"ok": true}' ;; esac
"""
BENCH = """#!/bin/sh
echo '{"results": []}'
"""


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="collet-evidence-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)


class Run(Folder):
    def setUp(self):
        super().setUp()
        shutil.copy(SOURCE / "scripts/evidence-run", self.root / "run")
        (self.root / "commit").write_text("0123456789\n")
        (self.root / "glibc").write_text("2.2\n")
        for name, text in ("collet", TOOL), ("collet-conformance", CONFORMANCE), ("collet-bench", BENCH):
            self.program(name, text)

    def program(self, name, text):
        path = self.root / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def run_it(self, *devices):
        return subprocess.run(["./run", *devices], cwd=self.root, capture_output=True, text=True, timeout=60)

    def test_a_device_that_ends_its_process_hides_no_other(self):
        done = self.run_it()
        self.assertEqual(done.returncode, 0, done.stderr)
        evidence = json.loads((self.root / "evidence.json").read_text())
        self.assertEqual(evidence["commit"], "0123456789")
        self.assertEqual(evidence["doctor"], {"ok": True})
        good, bad = evidence["devices"]["vulkan:0"], evidence["devices"]["vulkan:1"]
        self.assertEqual(good["conformance"]["devices"][0]["passed"], 5)
        self.assertEqual(good["conformance_code"], 0)
        self.assertIsNone(bad["conformance"])
        self.assertEqual(bad["conformance_code"], 139)
        self.assertIn("vulkan:0 Good: 5 passed", done.stdout)
        self.assertIn("vulkan:1: no result, exit code 139", done.stdout)
        self.assertIn("[2/2] vulkan:1", done.stdout)

    def test_devices_may_be_named(self):
        done = self.run_it("vulkan:0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(json.loads((self.root / "evidence.json").read_text())["devices"]), ["vulkan:0"])

    def test_a_machine_without_a_gpu_is_told_so(self):
        self.program("collet-conformance", "#!/bin/sh\nexit 2\n")
        done = self.run_it()
        self.assertEqual(done.returncode, 1)
        self.assertIn("No GPU can be used here", done.stdout)
        self.assertFalse((self.root / "evidence.json").exists())

    def test_an_older_glibc_is_named(self):
        (self.root / "glibc").write_text("9.99\n")
        done = self.run_it()
        self.assertEqual(done.returncode, 1)
        self.assertIn("need glibc 9.99 or newer; this machine has ", done.stderr)


class Matrix(Folder):
    def setUp(self):
        super().setUp()
        for folder in "scripts", "docs/results/hardware", "src/backends/cuda", "src/backends/vulkan", "src/backends/opengl":
            (self.root / folder).mkdir(parents=True)
        shutil.copy(SOURCE / "scripts/support-matrix", self.root / "scripts")
        self.page = self.root / "docs/support_matrix.md"
        self.page.write_text("Before\n<!-- written by scripts/support-matrix -->\n<!-- up to here -->\nAfter\n")

    def result(self, proof, *lines):
        text = f"# .ci/deep {proof}\n\n- verdict: passed, in 3 s\n- date: 2026-01-02\n\n" + "\n".join(lines) + "\n"
        (self.root / f"docs/results/{proof}.md").write_text(text)

    def matrix(self, *words):
        return subprocess.run([self.root / "scripts/support-matrix", *words], capture_output=True, text=True, timeout=60)

    def row(self, backend):
        lines = [line for line in self.page.read_text().splitlines() if line.startswith(f"| {backend} |")]
        self.assertEqual(len(lines), 1, self.page.read_text())
        return lines[0]

    def test_no_backend_claims_more_than_was_seen(self):
        self.result("conformance", "vulkan:0 Soft: 7 passed, 0 failed, 2 excluded, 0 skipped",
                    "vulkan:0 Soft: kernels of the corpus: 4 executed, 1 refused")
        self.result("cuda", "cuda:0 Collet CUDA double 0: 9 passed, 0 failed, 0 excluded, 0 skipped")
        self.assertEqual(self.matrix().returncode, 0)
        self.assertIn("| drivers that need no GPU | Soft |", self.row("vulkan"))
        self.assertIn("| 7 passed, 0 failed, 2 excluded | 4 executed, 1 refused |", self.row("vulkan"))
        self.assertIn("| a double of the driver only |", self.row("cuda"))
        self.assertIn("| not written yet |", self.row("hip"))
        self.assertIn("| no full-size result yet |", self.row("opengles"))
        self.assertIn("No result from a real GPU is here yet.", self.page.read_text())
        self.assertTrue(self.page.read_text().startswith("Before\n") and self.page.read_text().endswith("After\n"))

    def test_a_real_gpu_stands_above_the_others(self):
        self.result("conformance", "vulkan:0 Soft: 7 passed, 0 failed, 2 excluded, 0 skipped")
        device = {"id": "vulkan:0", "backend": "vulkan", "name": "Card", "driver": "D 1", "type": "discrete", "passed": 6,
                  "failed": 1, "excluded": 0, "skipped": 0, "corpus": ""}
        evidence = {"version": 1, "date": "2026-01-03", "system": "Linux", "devices": {
            "vulkan:0": {"conformance_code": 1, "conformance": {"whole": True, "devices": [device]}},
            "cuda:0": {"conformance_code": 139, "conformance": None}}}
        (self.root / "docs/results/hardware/card.json").write_text(json.dumps(evidence))
        self.assertEqual(self.matrix().returncode, 0)
        self.assertIn("| a real GPU | Card, D 1 | Linux | 6 passed, 1 failed, 0 excluded |", self.row("vulkan"))
        self.assertIn("| no full-size result yet | cuda:0 | Linux | ended with code 139 |", self.row("cuda"))
        self.assertIn("Results from real GPUs: 1.", self.page.read_text())

    def test_a_page_that_differs_is_an_error(self):
        self.assertEqual(self.matrix("--check").returncode, 1)
        self.assertEqual(self.matrix().returncode, 0)
        self.assertEqual(self.matrix("--check").returncode, 0)
        self.result("opengl", "opengl:0 Soft: 7 passed, 0 failed, 2 excluded, 0 skipped")
        self.assertIn("is not what the results say", self.matrix("--check").stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
