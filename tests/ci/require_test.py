#!/usr/bin/env python3
"""A missing driver, or a missing LLVM, fails the programs that require it.

usage: require_test.py COLLET_CONFORMANCE COLLET_FUZZ [unittest arguments]

To be run by scripts/with-drivers: VK_ICD_FILENAMES names lavapipe and SwiftShader.
"""

import os
import subprocess
import sys
import unittest

CONFORMANCE, FUZZ = sys.argv[1:3]
ALL = "--require=cpu,lavapipe,swiftshader,pocl,llvm"
DRIVERS = os.environ["VK_ICD_FILENAMES"].split(":")


def run(*words, **variables):
    # What was found in another environment says nothing about this one.
    environment = {**os.environ, "COLLET_CACHE_DIR": "off", **variables}
    return subprocess.run(words, capture_output=True, text=True, timeout=120, env=environment)


def driver(name):
    return ":".join(path for path in DRIVERS if name in path)


class Require(unittest.TestCase):
    def assert_refused(self, words, *arguments, **variables):
        for program in [CONFORMANCE, "--list-devices"], [FUZZ, "--kernels=1"]:
            done = run(*program, *arguments, **variables)
            self.assertEqual(done.returncode, 2, (program, done.stdout, done.stderr))
            self.assertIn(words, done.stderr)

    def test_what_is_there_passes(self):
        done = run(CONFORMANCE, "--list-devices", ALL)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_missing_vulkan_driver_is_named(self):
        self.assert_refused("There is no device (swiftshader).", ALL, VK_ICD_FILENAMES=driver("lvp"))
        self.assert_refused("There is no device (lavapipe).", ALL, VK_ICD_FILENAMES=driver("swiftshader"))

    def test_a_missing_opencl_driver_is_named(self):
        self.assert_refused("There is no device (pocl).", ALL, OCL_ICD_VENDORS="/nonexistent")

    def test_a_missing_llvm_is_named(self):
        self.assert_refused("There is no native code (llvm).", ALL, COLLET_LLVM="libLLVM.so.99")

    def test_a_name_that_nobody_has_is_named(self):
        self.assert_refused("There is no device (wulkan).", "--require=wulkan")
        self.assert_refused("There is no device (vulkan:7).", "--devices=vulkan:7")

    def test_a_driver_chooses_its_device_alone(self):
        done = run(CONFORMANCE, "--list-devices", "--devices=swiftshader")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("\n"), 1, done.stdout)
        self.assertIn("SwiftShader", done.stdout)


class Native(unittest.TestCase):
    def test_the_native_tier_fails_without_llvm(self):
        words = CONFORMANCE, "--devices=cpu", "--gtest_filter=*Corpus.ArithmeticOfI32*"
        wanted = run(*words, COLLET_CPU_TIER="native")
        self.assertEqual(wanted.returncode, 0, wanted.stdout)
        self.assertNotIn("Running 0 tests", wanted.stdout)
        missing = run(*words, COLLET_CPU_TIER="native", COLLET_LLVM="libLLVM.so.99")
        self.assertEqual(missing.returncode, 1, missing.stdout)
        self.assertIn("COLLET_LLVM names a library (libLLVM.so.99) that Collet can't use", missing.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
