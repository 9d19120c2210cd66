#!/usr/bin/env python3
"""Runs the real collet: the JSON of every verb against docs/schema, the exit codes, the streams.

usage: cli_test.py COLLET SCHEMA_FOLDER [unittest arguments]
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import jsonschema

# A Windows program is started by Wine.
STARTER = [] if not sys.argv[1].endswith(".exe") else [pathlib.Path(__file__).parents[2] / "scripts/with-wine"]
COLLET = [*STARTER, sys.argv[1]]
SCHEMAS = pathlib.Path(sys.argv[2])

VERBS = {
    "backends": ["backends"],
    "devices": ["devices"],
    "default": ["default"],
    "summary": ["summary"],
    "status": ["status"],
    "doctor": ["doctor"],
    "version": ["version"],
    "check": ["check", "saxpy", "reduce_sum"],
    "emit": ["emit", "saxpy"],
    "run": ["run", "vector_add"],
    "ring-bench": ["ring-bench", "saxpy"],
    "completion": ["completion", "bash"],
}
IDS = "cpu vulkan opencl cuda hip level_zero metal webgpu opengl opengles webgl2 simulated".split()


def run(*words, text="", **variables):
    """Without the COLLET_ variables of the caller, and with a cache of the test's own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COLLET_")}
    environment = {**kept, **{name: os.environ[name] for name in ["COLLET_WINE"] if name in os.environ}}
    environment["COLLET_CACHE_DIR"] = CACHE
    environment.update(variables)
    return subprocess.run([*COLLET, *words], input=text, capture_output=True, text=True, timeout=120, env=environment)


def schema(verb):
    return json.loads((SCHEMAS / f"{verb}.json").read_text())


class Json(unittest.TestCase):
    def answer(self, verb, *more, code=0, **variables):
        done = run(*VERBS[verb], "--json", *more, **variables)
        self.assertEqual(done.returncode, code, done.stderr)
        answer = json.loads(done.stdout)
        jsonschema.Draft202012Validator(schema(verb)).validate(answer)
        return answer

    def test_every_verb_answers_as_its_schema_says(self):
        for verb in VERBS:
            with self.subTest(verb):
                # A driver of this machine may have a problem, and then doctor says 1.
                self.answer(verb, code=run("doctor").returncode if verb == "doctor" else 0)

    def test_every_schema_is_one_and_refuses_what_is_no_answer(self):
        # collet-bench has one of its own: bench_test.py.
        self.assertEqual({path.stem for path in SCHEMAS.glob("*.json")}, {*VERBS, "bench"})
        for verb in VERBS:
            with self.subTest(verb):
                validator = jsonschema.Draft202012Validator(schema(verb))
                validator.check_schema(schema(verb))
                answer = json.loads(run(*VERBS[verb], "--json").stdout)
                self.assertTrue(validator.is_valid(answer))
                self.assertFalse(validator.is_valid({**answer, "version": 2}))
                self.assertFalse(validator.is_valid({**answer, "more": 0}))
                for key in answer:
                    self.assertFalse(validator.is_valid({k: v for k, v in answer.items() if k != key}), key)

    def test_doctor_has_an_entry_for_every_backend(self):
        answer = json.loads(run("doctor", "--json").stdout)
        self.assertEqual([backend["id"] for backend in answer["backends"]], IDS)
        for backend in answer["backends"]:
            self.assertTrue(backend["message"] or backend["device_count"], backend["id"])

    def test_devices_and_default_agree(self):
        devices = self.answer("devices")["devices"]
        chosen = self.answer("default")["selected"]
        self.assertEqual([device["id"] for device in devices if device["default"]], [chosen])
        self.assertTrue(all(device["score"] is not None for device in devices))

    def test_every_dialect_is_written(self):
        for dialect in schema("emit")["properties"]["dialect"]["enum"]:
            with self.subTest(dialect):
                if STARTER and dialect.startswith("spirv"):  # no SPIRV-Tools for MinGW
                    self.assertIn("has no SPIRV-Tools", run("emit", "saxpy", "--to", dialect).stderr)
                    continue
                self.assertEqual(self.answer("emit", "--to", dialect)["dialect"], dialect)

    def test_check_tells_what_a_kernel_is_and_needs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "k.ir")
            path.write_text("""kernel k group(64, 2, 1) {
  buffer counts: u32 inout
  buffer x: f64 in
  buffer y: bytes(24) out
  value n: u32
  workgroup tile: f32 [64]
  %0: u32 = global_id 0
  %1: u32 = constant 1
  %2: u32 = atomic_add counts[%0], %1
  %3: f64 = load x[%0]
  store y[%0], %3
  barrier
}
""")
            done = run("check", str(path), "saxpy", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        answer = json.loads(done.stdout)
        jsonschema.Draft202012Validator(schema("check")).validate(answer)
        one, saxpy = answer["kernels"]
        self.assertEqual((one["given"], one["valid"], one["error"]), (str(path), True, None))
        facts = one["facts"]
        self.assertEqual((facts["name"], facts["group"]), ("k", [64, 2, 1]))
        self.assertEqual([(b["name"], b["type"], b["access"], b["bytes"]) for b in facts["buffers"]],
                         [("counts", "u32", "inout", 4), ("x", "f64", "in", 8), ("y", None, "out", 24)])
        self.assertEqual(facts["values"], [{"name": "n", "type": "u32", "bytes": 4}])
        self.assertEqual((facts["workgroup_bytes"], facts["barriers"], facts["atomics"]), (256, True, True))
        self.assertEqual(facts["features"], ["64-bit floats"])
        self.assertEqual((saxpy["facts"]["barriers"], saxpy["facts"]["atomics"], saxpy["facts"]["features"]),
                         (False, False, []))

    def test_check_says_of_each_dialect_what_emit_says(self):
        kernel = """kernel k group(64, 1, 1) {
  buffer x: f64 inout
  %0: u32 = global_id 0
  %1: f64 = load x[%0]
  %2: f64 = native_sin %1
  store x[%0], %2
}
"""
        facts = json.loads(run("check", "-", "--json", text=kernel).stdout)["kernels"][0]["facts"]
        self.assertEqual([one["name"] for one in facts["dialects"]],
                         schema("emit")["properties"]["dialect"]["enum"])
        refused = {one["name"]: one["refused"] for one in facts["dialects"]}
        self.assertIn("native_sin of 64-bit floats, which Vulkan lacks", refused["glsl-vulkan"])
        self.assertIsNone(refused["opencl"])
        for dialect, why in refused.items():
            if STARTER and dialect.startswith("spirv"):  # MinGW writes it and shows it as words only
                continue
            done = run("emit", "-", "--to", dialect, text=kernel)
            self.assertEqual(done.returncode == 0, why is None, dialect)
            self.assertIn(why or "", done.stderr)

    def test_check_names_the_line_of_what_is_wrong(self):
        unread = "kernel k group(1, 1, 1) {\n  buffer x: u32 in\n  %0: u32 = addd\n}\n"
        refused = "kernel k group(2, 1, 1) {\n  %0: u32 = local_id 0\n  %1: bool = eq %0, %0\n  if %1 {\n    barrier\n  }\n}\n"
        for text, line, words in [(unread, 3, '"addd" is no operation'), (refused, 5, "not all items of a group"),
                                  ("", 1, '"kernel" is missing')]:
            done = run("check", "-", "saxpy", "--json", text=text)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            answer = json.loads(done.stdout)
            jsonschema.Draft202012Validator(schema("check")).validate(answer)
            wrong, saxpy = answer["kernels"]
            self.assertEqual((wrong["valid"], wrong["facts"], wrong["error"]["line"]), (False, None, line))
            self.assertTrue(wrong["error"]["message"].startswith(f"Line {line} of the IR text: "))
            self.assertIn(words, wrong["error"]["message"])
            self.assertTrue(saxpy["valid"])
            shown = run("check", "-", text=text)
            self.assertEqual((shown.returncode, shown.stderr), (1, ""))
            self.assertIn(words, shown.stdout)

    def test_simulated_devices_are_shown_when_asked_for(self):
        devices = self.answer("devices", COLLET_FAKE="gpus=2")["devices"]
        self.assertEqual(sum(device["type"] == "simulated" for device in devices), 2)
        self.assertEqual(self.answer("summary", COLLET_FAKE="gpus=2")["devices"]["simulated"], 2)

    def test_status_of_one_backend(self):
        self.assertEqual([one["id"] for one in self.answer("status", "cpu")["backends"]], ["cpu"])

    def test_a_library_that_is_named_and_can_not_be_used_is_a_problem_for_doctor(self):
        answer = self.answer("doctor", code=1, COLLET_LLVM="nonexistent.so")
        named = [one for one in answer["findings"]
                 if one["severity"] == "problem" and "COLLET_LLVM names a library (nonexistent.so)" in one["message"]]
        self.assertEqual([one["subject"] for one in named], ["cpu"], answer["findings"])
        self.assertIn("COLLET_LLVM", named[0]["fix"])

    @unittest.skipIf(STARTER, "Windows knows no such modes")
    def test_a_library_that_others_may_write_is_not_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            library = pathlib.Path(folder, "libLLVM.so")
            library.write_text("")
            answer = self.answer("doctor", code=1, COLLET_LLVM=str(library))
            self.assertTrue(any(f"The folder {folder} can be written by other users (mode 0777)" in one["message"]
                                for one in answer["findings"]), answer["findings"])

    @unittest.skipIf(STARTER, "Windows words it otherwise")
    def test_a_webgpu_library_that_is_named_and_can_not_be_used_is_a_problem(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder, "libtext.so")
            text.write_text("no library")
            for library, words in (("nonexistent.so", "nonexistent.so: cannot open"), (str(text), str(text)),
                                   ("libm.so.6", "lacks functions of webgpu.h: wgpuCreateInstance, ")):
                with self.subTest(library):
                    answer = self.answer("doctor", code=1, COLLET_WEBGPU=library)
                    named = [one["message"] for one in answer["findings"]
                             if (one["severity"], one["subject"]) == ("problem", "webgpu")]
                    self.assertTrue(any(words in one for one in named), answer["findings"])
                    self.assertTrue(any(one["subject"] == "cpu" and one["severity"] == "good"
                                        for one in answer["findings"]), answer["findings"])

    def test_an_unknown_variable_is_a_problem_for_doctor(self):
        answer = self.answer("doctor", code=1, COLLET_DEVCE="1")
        self.assertIn(
            {"severity": "problem", "subject": "COLLET_DEVCE", "message": "Collet knows no such variable.",
             "fix": "Did you mean COLLET_DEVICE?"},
            answer["findings"])

    def test_nothing_that_matches_is_code_3_and_still_an_answer(self):
        answer = self.answer("default", "--device", "vulkan:77", code=3)
        self.assertIsNone(answer["selected"])
        self.assertIn("77", answer["error"]["message"])


class Usage(unittest.TestCase):
    def refused(self, words, code, *texts, **variables):
        done = run(*words, **variables)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        for text in texts:
            self.assertIn(text, done.stderr)
        self.assertTrue(done.stderr.startswith("collet: "), done.stderr)

    def test_wrong_words_are_code_2_with_a_suggestion(self):
        self.refused(["devcies"], 2, 'There is no verb "devcies". Did you mean "devices"?')
        self.refused(["qqq"], 2, 'There is no verb "qqq".\n', "The verbs are: backends, ")
        self.refused([], 2, "No verb is given.")
        self.refused(["devices", "--jsno"], 2, 'collet devices has no option "--jsno". Did you mean "--json"?')
        self.refused(["--jsno", "devices"], 2, 'has no option "--jsno". Did you mean "--json"?')
        self.refused(["devices", "extra"], 2, 'collet devices does not take the argument "extra".')
        self.refused(["status", "vulcan"], 2, 'There is no backend "vulcan". Did you mean "vulkan"?')
        self.refused(["completion", "bahs"], 2, 'There is no shell "bahs". Did you mean "bash"?')
        self.refused(["completion"], 2, "SHELL")
        self.refused(["default", "--device", "vulcan"], 2, '"vulcan"', "vulkan")
        self.refused(["doctor", "--device", "vulcan"], 2, '"vulcan"', "vulkan")
        self.refused(["devices", "--device", "gpu"], 2, 'collet devices has no option "--device".')

    def test_wrong_words_of_emit_and_run_are_code_2_with_a_suggestion(self):
        for verb in ["check", "emit", "run"]:
            self.refused([verb, "saxpi"], 2, 'There is no built-in kernel "saxpi". Did you mean "saxpy"?')
            self.refused([verb, "qqq"], 2, 'There is no built-in kernel "qqq".\n', "The built-in kernels are: vector_add, ")
            self.refused([verb, "./none.ir"], 2, "The file ./none.ir can't be read.")
            self.refused([verb, "./"], 2, "The file ./ is a folder.")
            if verb != "check":  # which takes several
                self.refused([verb, "saxpy", "more"], 2, f'collet {verb} does not take the argument "more".')
        self.refused(["check"], 2, "collet check is not complete: KERNEL")
        self.refused(["check", "saxpy", "saxpi"], 2, 'There is no built-in kernel "saxpi".')
        self.refused(["check", "-", "saxpy", "-"], 2, "Standard input (-) is named twice.")
        self.refused(["emit"], 2, "No kernel is named.", "collet emit --list")
        self.refused(["emit", "saxpy", "--to", "spriv"], 2, 'There is no dialect "spriv". Did you mean "spirv"?')
        self.refused(["emit", "saxpy", "--too", "ir"], 2, 'collet emit has no option "--too". Did you mean "--to"?')
        self.refused(["run"], 2, "collet run is not complete: KERNEL is required.")
        kernel = run("emit", "saxpy").stdout
        done = run("run", "-", text=kernel)
        self.assertEqual(done.returncode, 2)
        self.assertIn("The value value0 (f32)", done.stderr)
        self.assertIn("Add --set value0=NUMBER.", done.stderr)
        self.refused(["run", "saxpy", "--set", "valu0=1"], 2, 'There is no value "valu0". Did you mean "value0"?')
        self.refused(["run", "vector_add", "--set", "x=1"], 2, 'There is no value "x".', "has no values.")
        self.refused(["run", "saxpy", "--set", "value0"], 2, '"value0" gives no value a number.')
        self.refused(["run", "saxpy", "--set", "value0=x"], 2, 'The value of value0 ("x") is no f32.')
        self.refused(["run", "vector_add", "--grid", "9,x"], 2, '"x" is no number of elements.')
        self.refused(["run", "vector_add", "--grid", "9,0"], 2, "runs nothing.")
        self.refused(["run", "vector_add", "--device", "vulcan"], 2, '"vulcan"', "vulkan")
        self.refused(["run", "vector_add", "--device", "vulkan:77"], 3, "77")

    def test_ring_kernels_are_emitted_in_every_dialect(self):
        rings = json.loads(run("emit", "--list", "--json").stdout)["rings"]
        self.assertTrue(rings)
        for one in rings:
            for dialect in ["ir", "opencl", "cuda", "hip", "glsl-vulkan", "glsl", "gles", "wgsl", "msl", "spirv", "spirv-kernel"]:
                done = run("emit", one["name"], "--to", dialect)
                self.assertEqual(done.returncode, 0, f"{one['name']} to {dialect}: {done.stderr}")
                self.assertTrue(done.stdout)

    def test_built_in_kernels_run_as_they_are(self):
        for one in json.loads(run("emit", "--list", "--json").stdout)["kernels"]:
            done = run("run", one["name"], "--device", "cpu", "--check", "--json")
            self.assertEqual(done.returncode, 0, f"{one['name']}: {done.stderr}")
        said = json.loads(run("run", "stencil", "--grid", "30,20", "--set", "value1=10", "--device", "cpu", "--json").stdout)
        self.assertEqual(said["values"], ["value1=10", "value0=30"])

    def test_a_value_is_set_once(self):
        self.refused(["run", "saxpy", "--set", "value0=1", "--set", "value0=2"], 2,
                     'The value value0 is given twice ("value0=1" and "value0=2").', "Give --set once")

    def test_a_kernel_may_come_from_standard_input(self):
        kernel = run("emit", "saxpy").stdout
        again = run("emit", "-", text=kernel)
        self.assertEqual((again.returncode, again.stdout), (0, kernel), again.stderr)
        self.assertEqual(run("run", "-", "--set", "value0=2", "--device", "cpu", text=kernel).returncode, 0)
        self.refused(["emit", "-"], 2, "\"kernel\" is missing")
        for verb in ["check", "emit"]:
            endless = subprocess.run(["bash", "-c", f'yes | "$@" {verb} -', "bash", *COLLET], capture_output=True,
                                     text=True, timeout=120)
            self.assertEqual(endless.returncode, 2)
            self.assertIn("Standard input is larger than 64 MiB.", endless.stderr)

    def test_what_is_no_regular_file_is_refused_by_name(self):
        for verb in ["check", "emit"]:
            self.refused([verb, "/dev/zero"], 2, "The file /dev/zero is a pipe or a device", "Give - to read")
            self.refused([verb, "/"], 2, "The file / is a folder.")
            with tempfile.TemporaryDirectory() as folder:
                fifo = f"{folder}/fifo"
                os.mkfifo(fifo)
                self.refused([verb, fifo], 2, "is a pipe or a device, not a regular file", "Give - to read")

    def test_run_takes_any_two_nans_for_the_same(self):
        # Each device's own NaN of 0 / 0, the sign of which differs between cpu and drivers.
        kernel = """kernel nans group(64, 1, 1) {
  buffer x: f32 inout
  %0: u32 = global_id 0
  %1: f32 = load x[%0]
  %2: f32 = sub %1, %1
  %3: f32 = div %2, %2
  %4: f32 = negate %3
  %5: u32 = constant 1
  %6: u32 = bit_and %0, %5
  %7: bool = eq %6, %5
  %8: f32 = select %7, %3, %4
  store x[%0], %8
}
"""
        for device in json.loads(run("devices", "--json").stdout)["devices"]:
            if device["rung"] != "verified":
                continue
            done = run("run", "-", "--device", device["id"], text=kernel)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_grid_beyond_the_memory_is_refused_before_any_is_taken(self):
        self.refused(["run", "vector_add", "--grid", "90000000000"], 1, "are needed 4 times")
        self.refused(["run", "vector_add", "--grid", "4294967296,4294967296"], 2, "more than the 1 TiB")

    def test_a_timeout_is_a_number_of_seconds(self):
        for value in ["0", "-1", "x", "1s", "nan", "inf", "1e9", ""]:
            self.refused(["devices", f"--timeout={value}"], 2, "--timeout")
        self.assertEqual(run("devices", "--timeout", "9.5").returncode, 0)

    def test_an_unusable_variable_is_code_2(self):
        self.refused(["default"], 2, "COLLET_DEVICE", COLLET_DEVICE="vulcan")

    def test_shared_options_stand_before_or_behind_the_verb(self):
        self.assertEqual(run("--json", "version").stdout, run("version", "--json").stdout)

    def test_help_has_examples_and_is_code_0(self):
        for words in [["--help"], *([*verb, "--help"] for verb in VERBS.values())]:
            done = run(*words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("Examples\n", done.stdout)

    @unittest.skipUnless(os.path.exists("/dev/full"), "this system has no /dev/full")
    def test_a_full_disk_is_no_success(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([*COLLET, "version"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Standard output did not take the answer", done.stderr)


class Streams(unittest.TestCase):
    def test_a_pipe_gets_neither_colours_nor_tabs_and_nothing_on_stderr(self):
        for verb, words in VERBS.items():
            with self.subTest(verb):
                done = run(*words)
                self.assertNotIn("\x1b", done.stdout)
                self.assertNotIn("\t", done.stdout)
                self.assertEqual(done.stderr, "")

    def test_notes_go_to_stderr(self):
        done = run("devices", COLLET_PROBE="off")
        self.assertIn("COLLET_PROBE is off", done.stderr)
        self.assertNotIn("COLLET_PROBE", done.stdout)

    @unittest.skipUnless(sys.platform == "linux", "only glibc tells which libraries are loaded")
    def test_version_and_check_load_no_driver(self):
        loaders = ["libvulkan", "libOpenCL"]
        looked = run("backends", "--no-cache", "--no-isolation", LD_DEBUG="files").stderr
        if not any(loader in looked for loader in loaders):
            self.skipTest("no loader of a driver is installed")
        for words in [["version"], ["check", "saxpy"]]:
            said = run(*words, LD_DEBUG="files").stderr
            self.assertIn("calling init", said)
            for loader in loaders:
                self.assertNotIn(loader, said)

    def test_the_text_is_the_same_twice(self):
        self.assertEqual(run("devices").stdout, run("devices").stdout)


class Completion(unittest.TestCase):
    def bash(self, *words):
        script = """
          source <("$1" completion bash); shift
          COMP_WORDS=(collet "$@"); COMP_CWORD=$#; _collet; echo "${COMPREPLY[*]}"
        """
        done = subprocess.run(["bash", "-c", script, "bash", *COLLET, *words], capture_output=True, text=True,
                              timeout=60, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash_completes_verbs_options_and_arguments(self):
        self.assertEqual(self.bash("de"), ["devices", "default"])
        self.assertEqual(self.bash("devices", "--ver"), ["--verbose"])
        self.assertEqual(self.bash("status", "open"), ["opencl", "opengl", "opengles"])
        self.assertEqual(self.bash("--json", "default", "--device", "vul"), ["vulkan"])
        self.assertEqual(self.bash("devices", "--device"), [])

    def check(self, shell, *words):
        path = shutil.which(shell)
        if path is None:
            self.skipTest(f"{shell} is not installed")
        with tempfile.NamedTemporaryFile("w", suffix=f".{shell}") as script:
            script.write(run("completion", shell).stdout)
            script.flush()
            subprocess.run([path, *words, script.name], check=True, timeout=60)

    def test_zsh_reads_its_script(self):
        self.check("zsh", "-n")

    def test_fish_reads_its_script(self):
        self.check("fish", "--no-execute")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as CACHE:
        unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
