#!/usr/bin/env python3
"""What gdb and lldb show of Collet's types, in programs that they stop.

usage: debugger_test.py gdb|lldb DEBUGGED BARE PRINTERS_FOLDER [unittest arguments]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

DEBUGGER, DEBUGGED, BARE = sys.argv[1:4]
PRINTERS = pathlib.Path(sys.argv[4])
COMMANDS = {"gdb": ["gdb"], "lldb": ["lldb-19", "lldb"]}[DEBUGGER]

STORY = """unsupported: The device has no memory of its own.
  Native code: CL_MEM_OBJECT_ALLOCATION_FAILURE (-4)
  While making [Buffer "x"]
  While starting the program
  Hint: Ask for less."""
NO_DEVICE = "of no device: it was made without one, or moved from"

# What each variable is shown as, by the stops of debugged.cpp.
ERRORS = {
    "error": STORY,
    "number": "value of type float: 2.5",
    "refused": "error (unsupported): The device has no memory of its own.",
    "done": "value of type void",
    "failed": "error (unsupported): The device has no memory of its own.",
    "nested": "value of type collet::Result<collet::Result<unsigned int>>: "
              "value of type collet::Result<unsigned int>: value of type unsigned int: 7",
    "text": 'value of type std::string: "some text"',
}
HANDLES = {
    "taken": 'Buffer<float> "heat", 8 elements on cpu:0',
    "heat": f"Buffer<float> {NO_DEVICE}",
    "one": "Buffer<unsigned int> of 1 element on cpu:0",
    "none": f"Buffer<collet::vec<float, 4>> {NO_DEVICE}",
    "made": 'value of type collet::Buffer<double>: Buffer<double> "made", 3 elements on cpu:0',
    "kept": re.compile(r"Device cpu:0, .+"),
    "device": "Device that was moved from",
    "event": 'Event 2 of [Stream "main"], done',
    "late": 'Event 0, failed (invalid_argument): The Stream was moved from.',
}
INNER = {"own": "Expr<float> %0 = constant 2", "outer": "Expr<float> %3 = mul %2, %1"}
TRACED = {
    "i": "Expr<unsigned int> %0 = global_id 0",
    "half": "Expr<float> %1 = constant 0.5",
    "loaded": "Expr<float> %2 = load buffer0[%0]",
    "product": "Expr<float> %3 = mul %2, %1",
    "passed": "Expr<float> %4 = parameter value0",
    "wide": "Expr<collet::vec<float, 4>> %9 = load buffer1[%0]",
    "sum": re.compile(r"Var<float> %\d+ = variable"),
}
OVER = {"over": "Expr<float> %3 of a kernel that is not traced now"}


def debugger():
    for name in COMMANDS:
        if shutil.which(name):
            return name
    raise AssertionError(f"{DEBUGGER} is not installed; scripts/setup installs it.")


def run(program, stops, printers=PRINTERS, where="stop_here"):
    """Stops at `where`; at the stop of each number, what the variables of its list are shown as."""
    load = f"source {printers}/collet_gdb.py" if DEBUGGER == "gdb" else f"command script import {printers}/collet_lldb.py"
    commands = [load, f"breakpoint set --name {where}" if DEBUGGER == "lldb" else f"break {where}", "run"]
    for number, variables in enumerate(stops):
        commands += ["continue"] * (number > 0) + ["up"] * (where == "stop_here")
        for name in variables:
            say = f"echo [[{number}.{name}]]\\n" if DEBUGGER == "gdb" else f"script print('[[{number}.{name}]]')"
            commands += [say, f"print {name}" if DEBUGGER == "gdb" else f"frame variable {name}"]
        commands.append("echo [[end]]\\n" if DEBUGGER == "gdb" else "script print('[[end]]')")
    words = {"gdb": ["-batch", "-nx"], "lldb": ["--batch", "--no-lldbinit"]}[DEBUGGER]
    for command in commands:
        words += ["-ex" if DEBUGGER == "gdb" else "-o", command]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COLLET_")}
    done = subprocess.run([debugger(), *words, program], capture_output=True, timeout=240, stdin=subprocess.DEVNULL,
                          env={**kept, "COLLET_CACHE_DIR": "off", "LC_ALL": "C.UTF-8"})
    said = done.stdout.decode("utf-8", "replace") + done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in said and "Python Exception" not in said, said
    return said


def shown(said, number, name):
    """What the debugger wrote of a variable, without what it writes in front of every value."""
    found = re.search(rf"^\[\[{number}\.{name}\]\]\n(.*?)(?=^(?:\(lldb\) script|\[\[))", said, re.MULTILINE | re.DOTALL)
    if not found:
        return f"nothing, in: {said}"
    text = re.sub(r"^\(lldb\) frame variable.*\n|^error: .* extends beyond the bounds of .*\n", "", found[1], flags=re.MULTILINE)
    front = r"^\$\d+ = " if DEBUGGER == "gdb" else rf"^\(.*\) {name} = "
    return re.sub(front, "", text, count=1).rstrip("\n")


class Shown(unittest.TestCase):
    maxDiff = None

    def compare(self, said, stops):
        for number, variables in enumerate(stops):
            for name, expected in variables.items():
                with self.subTest(name):
                    found = shown(said, number, name)
                    if isinstance(expected, str):
                        self.assertEqual(found, expected)
                    else:
                        self.assertRegex(found, expected)

    def test_each_type_is_shown_in_words(self):
        stops = [ERRORS, HANDLES, INNER, TRACED, OVER]
        self.compare(run(DEBUGGED, stops), stops)

    def test_what_is_not_constructed_yet_breaks_no_printer(self):
        # run() looks for tracebacks; what memory holds that nobody wrote is not known.
        for where, names in ("stop_with_errors", ERRORS), ("stop_with_handles", HANDLES):
            said = run(DEBUGGED, [names], where=where)
            for name in names:
                self.assertFalse(shown(said, 0, name).startswith("nothing, in: "), said)

    def test_a_library_without_debug_information_is_named(self):
        why = "<not readable: libcollet has no debug information of collet::Error::Body; build Collet with -g>"
        stops = [{"error": why, "refused": why, "number": "value of type int: 7"}]
        self.compare(run(BARE, stops), stops)

    def test_a_member_that_has_another_name_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in PRINTERS.glob("*.py"):
                text = path.read_text().replace('"count_"', '"length_"').replace('"hint"', '"advice"')
                pathlib.Path(folder, path.name).write_text(text)
            stops = [{"error": "<not readable: collet::Error::Body has no member advice; "
                               "these printers are for another version of Collet>"},
                     {"taken": "<not readable: collet::Buffer<float> has no member length_; "
                               "these printers are for another version of Collet>"}]
            self.compare(run(DEBUGGED, stops, folder), stops)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
