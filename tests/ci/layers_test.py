#!/usr/bin/env python3
"""Drives scripts/check-layers, check-backends, check-places, check-codes, check-examples, check-unity and check-subjects over made-up
sources and messages.

usage: layers_test.py SOURCE_FOLDER [unittest arguments]
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])

MAP = """
| Folder | What lives here | May include |
|---|---|---|
| `low/` | | the waist |
| `backends/<id>/` | | `low/` |
| `high/` | | `low/tool.hpp` |
| `high/list.cpp` | | `backends/<id>/backend.hpp` |

## low/, file by file

| File | Noun |
|---|---|
| `tool` | a tool |
"""


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="collet-layers-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in "check-layers", "check-backends", "check-places", "check-codes", "check-examples", "check-unity":
            (self.root / "scripts").mkdir(exist_ok=True)
            shutil.copy(SOURCE / "scripts" / name, self.root / "scripts" / name)
        self.write("src/README.md", MAP)
        self.write("include/collet/backend.hpp", '#include "collet/result.hpp"\n')
        self.write("include/collet/result.hpp")
        self.write("src/low/tool.hpp", '#include "collet/result.hpp"\n')
        self.write("src/low/tool.cpp", '#include "low/tool.hpp"\n')
        self.write("src/backends/a/backend.hpp", '#include "low/tool.hpp"\n')
        self.write("src/high/list.cpp", '#include "backends/a/backend.hpp"\n#include "low/tool.hpp"\n')

    def write(self, name, text=""):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def check(self, script, *arguments):
        command = [sys.executable, self.root / "scripts" / script, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)


class Layers(Tree):
    def assert_refused(self, words):
        done = self.check("check-layers")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([line for line in done.stderr.splitlines() if words not in line], [])

    def test_what_the_table_allows_passes(self):
        done = self.check("check-layers")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_an_include_that_no_row_allows_is_named(self):
        self.write("src/high/other.cpp", '#include "backends/a/backend.hpp"\n')
        self.assert_refused("src/high/other.cpp includes backends/a/backend.hpp")

    def test_a_header_of_the_public_api_that_is_not_in_the_waist_is_named(self):
        self.write("include/collet/device.hpp")
        self.write("src/low/tool.cpp", '#include "collet/device.hpp"\n')
        self.assert_refused("src/low/tool.cpp includes collet/device.hpp")

    def test_a_folder_without_a_row_is_named(self):
        self.write("src/odd/thing.cpp")
        self.assert_refused("src/odd/ has no row")

    def test_a_row_without_a_folder_is_named(self):
        self.write("src/README.md", MAP.replace("| `high/` |", "| `gone/` | | the waist |\n| `high/` |"))
        self.assert_refused("gone/, which holds no source")

    def test_a_permission_that_nobody_uses_is_named(self):
        self.write("src/README.md", MAP.replace("`low/tool.hpp`", "`low/tool.hpp`, `backends/b/`"))
        self.assert_refused("allows backends/b/, which high/ does not include")

    def test_a_circle_is_named(self):
        self.write("src/README.md", MAP.replace("the waist", "the waist, `high/`"))
        self.write("src/high/door.hpp")
        self.write("src/low/tool.cpp", '#include "high/door.hpp"\n')
        self.assert_refused("in a circle: ")

    def test_a_file_that_the_table_of_files_lacks_is_named(self):
        self.write("src/low/spare.hpp")
        self.assert_refused("does not name spare in the table of src/low/")

    def test_a_file_that_is_gone_is_named(self):
        self.write("src/README.md", MAP + "| `spare` | what was |\n")
        self.assert_refused("names spare in the table of src/low/, where it is not")


class Backends(Tree):
    STEPS = "".join(f"  step_{i}(value);\n" for i in range(6))

    def assert_refused(self, words):
        done = self.check("check-backends")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([line for line in done.stderr.splitlines() if words not in line], [])

    def test_what_differs_passes(self):
        self.write("src/backends/a/queue.cpp", self.STEPS)
        self.write("src/backends/b/queue.cpp", self.STEPS.replace("step_3", "other"))
        done = self.check("check-backends")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_six_lines_in_two_backends_are_named(self):
        self.write("src/backends/a/queue.cpp", "void f() {\n" + self.STEPS)
        self.write("src/backends/b/memory.cpp", self.STEPS.replace("(value);", "(value);  // as a does"))
        self.assert_refused("src/backends/a/queue.cpp:2 and src/backends/b/memory.cpp:1 share 6 lines")

    def test_what_overrides_the_waist_may_look_alike(self):
        methods = "".join(f"  void step_{i}(int value,\n              int other) override;\n" for i in range(8))
        self.write("src/backends/a/device.hpp", methods)
        self.write("src/backends/b/device.hpp", methods)
        self.assertEqual(self.check("check-backends").returncode, 0)

    def test_a_long_backend_needs_a_reason(self):
        self.write("src/backends/a/queue.cpp", "".join(f"int a{i};\n" for i in range(2001)))
        self.assert_refused("src/backends/a has 2002 lines")
        self.write("src/README.md", MAP + "\n## Long backends\n\n| `a` | It has much to say. |\n")
        self.assertEqual(self.check("check-backends").returncode, 0)

    def test_a_reason_that_is_not_needed_is_named(self):
        self.write("src/README.md", MAP + "\n## Long backends\n\n| `a` | It had much to say. |\n")
        self.assert_refused("excuses src/backends/a, which has only")


class Unity(Tree):
    def compiled_together(self, *files):
        commands = []
        for name, text in files:
            self.write(name, text)
            file = str(self.root / name)
            commands.append({"file": file, "directory": str(self.root), "command": f"g++ -o x.o -c {file}"})
        self.write("commands.json", json.dumps(commands))
        return self.check("check-unity", str(self.root / "commands.json"))

    def test_files_that_share_no_name_pass(self):
        done = self.compiled_together(("src/low/a.cpp", "static int one() { return 1; }\n"),
                                      ("src/low/b.cpp", "static int two() { return 2; }\n"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_name_that_two_files_share_is_named(self):
        done = self.compiled_together(("src/low/a.cpp", "static int one() { return 1; }\n"),
                                      ("src/low/b.cpp", "static int one() { return 2; }\n"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("2 files do not compile together", done.stderr)

    def test_what_is_always_compiled_alone_may_share_one(self):
        done = self.compiled_together(("src/low/a.cpp", "static int one() { return 1; }\n"),
                                      ("src/core/b.cpp", "static int one() { return 2; }\n"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_commands_without_a_source_are_refused(self):
        self.assertIn("compiles no file", self.compiled_together().stderr)


class Places(Tree):
    def setUp(self):
        super().setUp()
        subprocess.run(["git", "init", "-q", self.root], check=True)

    def test_known_places_pass(self):
        done = self.check("check-places")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_scratch_file_is_named(self):
        for name in ("a.err", "b.txt", "src/c.txt", "tests/d.log", "notes/e.md", "tests/unit/f_test.cpp",
                     "tests/unit/nowhere/g_test.cpp"):
            self.write(name)
            done = self.check("check-places")
            self.assertEqual(done.returncode, 1, name)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(f"{name} is in no known place", done.stderr)
            (self.root / name).unlink()

    def test_a_unit_test_stands_in_the_folder_of_what_it_tests(self):
        for name in "tests/unit/low/tool_test.cpp", "tests/unit/bench/h_test.cpp", "tests/unit/helper.hpp":
            self.write(name)
        self.assertEqual(self.check("check-places").returncode, 0)

    def test_what_git_ignores_is_not_asked_for(self):
        self.write(".gitignore", "/build/\n")
        self.write("build/a.err")
        self.assertEqual(self.check("check-places").returncode, 0)


class Codes(Tree):
    def named(self, body):
        self.write("src/backends/a/queue.cpp", "void f() {\n" + body + "\n}\n")
        done = self.check("check-codes")
        self.assertEqual(done.returncode, 1 if done.stdout else 0, done.stderr)
        return done.stdout

    def test_a_code_that_is_looked_at_passes(self):
        for body in (
            "  COLLET_CHECK(check(vk_.vkQueueSubmit(queue, 1, &info, fence), kSubmit));",
            "  return check(\n      cl_.clFlush(queue), kFlush);",
            "  const VkResult result =\n      vk_.vkQueueSubmit(queue, 1, &info, fence);",
            "  if (cl_.clFlush(queue) != CL_SUCCESS) return;",
            "  vk_.vkCmdDispatch(commands, 1, 1, 1);",
            "  cl_.clReleaseEvent(event);",
            "  cl_.clFinish(queue);  // unchecked: nothing is left to try",
            "  // unchecked: the same\n  cl_.clFinish(queue);",
        ):
            self.assertEqual(self.named(body), "", body)

    def test_a_code_that_is_dropped_is_named(self):
        for body, name in (
            ("  vk_.vkQueueSubmit(queue, 1, &info, fence);", "vkQueueSubmit"),
            ("  device_.vk().vkQueueSubmit(queue,\n      1, &info, fence);", "vkQueueSubmit"),
            ("  if (late)\n    cl_.clFlush(queue);", "clFlush"),
            ("  vkEnumerateInstanceLayerProperties(&count, nullptr);", "vkEnumerateInstanceLayerProperties"),
        ):
            self.assertIn(f"nobody looks at what {name} returns", self.named(body))


class Examples(Tree):
    def missing(self, header, page=""):
        self.write("include/collet/thing.hpp", header)
        self.write("tests/CMakeLists.txt", 'foreach(name IN ITEMS page)\n  set(page "x")\n')
        self.write("docs/page.md", page)
        done = self.check("check-examples")
        self.assertEqual(done.returncode, 1 if done.stdout else 0, done.stderr)
        return done.stdout

    def test_a_function_without_an_example_is_named(self):
        for header in (
            "namespace collet {\nCOLLET_API void open(int a);\n}",
            "namespace collet {\nclass A {\n public:\n  int open() const { return hidden(); }\n private:\n  int hidden() const;\n};\n}",
            "template <class T>\n  requires detail::Small<T>\nauto open(const T& a) { return detail::hidden(a); }",
        ):
            self.assertEqual(self.missing(header), "include/collet/thing.hpp: open() has no example that CI compiles.\n")
            self.assertEqual(self.missing(header, "```cpp\nopen(3);\n```\n"), "")

    def test_an_example_is_a_compiled_block(self):
        header = "void open();"
        self.assertNotEqual(self.missing(header, "Call `open()`.\n"), "")
        self.assertNotEqual(self.missing(header, "```c\nopen();\n```\n"), "")

    def test_what_is_not_public_needs_none(self):
        self.assertEqual(self.missing("namespace detail {\nvoid hidden();\n}\ndetail::Part part();\n#define X() y()\n"), "")


class Subjects(unittest.TestCase):
    def refusal(self, message):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(message)
            file.flush()
            done = subprocess.run([SOURCE / "scripts/check-subjects", "--file", file.name], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1 if done.stderr else 0)
        return done.stderr

    def test_a_command_with_a_reason_is_accepted(self):
        for subject in "Refuse a module that lies", "Bring the drivers up to date", "Pass the sizes on", "X" * 72:
            self.assertEqual(self.refusal(subject + "\n\nIt crashed.\n# a comment of git's\n"), "", subject)

    def test_what_breaks_the_rule_is_named(self):
        for message, why in {
            "": "it has no subject",
            "X" * 73 + "\n\nWhy.": "has 73 characters, more than 72",
            "refuse it\n\nWhy.": "does not begin with a capital letter",
            "The format\n\nWhy.": "begins with (The), which is no command",
            "Fixed a crash\n\nWhy.": "begins with (Fixed)",
            "Adding a test\n\nWhy.": "begins with (Adding)",
            "Fixes a crash\n\nWhy.": "begins with (Fixes)",
            "Refuse it.\n\nWhy.": "ends with a full stop",
            "Refuse it\nWhy.": "no empty line",
            "Refuse it": "it has no body that says why",
            "Refuse it\n\n# a comment of git's": "it has no body that says why",
        }.items():
            self.assertIn(why, self.refusal(message), message)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
