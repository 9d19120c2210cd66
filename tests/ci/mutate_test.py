#!/usr/bin/env python3
"""What scripts/mutate plants, and what a line of scripts/mutate.equivalent stands for.

usage: mutate_test.py SOURCE_FOLDER [unittest arguments]
"""

import pathlib
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(sys.argv[1])
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "scripts"))

from mutation import places, planted  # noqa: E402


class Areas(unittest.TestCase):
    def test_every_file_that_this_system_compiles_belongs_to_one(self):
        elsewhere = ("_windows", "_macos", "_android", "windows.hpp")
        for path in [*SOURCE.glob("src/**/*.cpp"), *SOURCE.glob("src/**/*.hpp")]:
            name = str(path.relative_to(SOURCE))
            self.assertEqual(planted.area_of(name) is None, any(word in name for word in elsewhere), name)


class Planting(unittest.TestCase):
    def faults(self, text):
        return [fault.what for fault in places.faults_of("a.cpp", text)]

    def test_a_case_behind_a_macro_is_not_left_out(self):
        text = "#define NAME(x) \\\n  case x: return #x\nvoid f(int a) {\n  switch (a) {\n    NAME(A);\n    g();\n  }\n}\n"
        self.assertEqual(self.faults(text), ["a statement is left out"])

    def test_what_another_system_compiles_has_none(self):
        self.assertEqual(self.faults("void f() {\n#ifdef _WIN32\n  g();\n#endif\n}\n"), [])
        self.assertEqual(self.faults("void f() {\n#if defined(_WIN32)\n  g();\n#else\n  a = b;\n#endif\n}\n"),
                         ["a statement is left out"])
        self.assertEqual(self.faults("void f() {\n#ifndef _WIN32\n  g();\n#else\n  a = b + c;\n#endif\n}\n"),
                         ["a statement is left out"])
        self.assertEqual(self.faults("void f() {\n#if defined(__x86_64__)\n  g();\n#elif defined(__aarch64__)\n  a + b;\n"
                                     "#endif\n}\n"), ["a statement is left out"])


class Keys(unittest.TestCase):
    def test_two_faults_of_a_line_have_two_keys(self):
        faults = places.faults_of("a.cpp", "int f(int a) {\n  return a + 1 - 1;\n}\n")
        self.assertIn("a.cpp | return a + 1 - 1; | 1 becomes 2, 2 of 2", [fault.key() for fault in faults])

    def test_lines_that_read_the_same_are_told_apart(self):
        faults = places.faults_of("a.cpp", "void f() {\n  g();\n  h();\n  g();\n}\n")
        self.assertEqual([fault.key() for fault in faults],
                         ["a.cpp | g(); | a statement is left out, 1 of 2", "a.cpp | h(); | a statement is left out",
                          "a.cpp | g(); | a statement is left out, 2 of 2"])

    def test_no_two_faults_of_the_sources_share_one(self):
        for path in SOURCE.glob("src/**/*.cpp"):
            keys = [fault.key() for fault in places.faults_of(path.name, path.read_text())]
            self.assertEqual(len(keys), len(set(keys)), path)


class Equivalents(unittest.TestCase):
    def test_each_line_names_one_fault(self):
        done = subprocess.run([SOURCE / "scripts/mutate", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
