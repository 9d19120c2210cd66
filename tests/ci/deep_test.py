#!/usr/bin/env python3
"""Drives .ci/deep and scripts/check-results in a repository of their own, with proofs that are made up.

usage: deep_test.py SOURCE_FOLDER [unittest arguments]
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])

PROOFS = """
names=(good slow bad moving)
bin=build/bin
work=build/deep
drivers=
prove_good() { echo "all is well"; }
prove_slow() { echo "3 us of 2"; return 3; }
prove_bad() { echo "wrong"; return 7; }
prove_moving() { echo "int x;" >src/late.cpp; }
"""


class Repository(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="collet-ci-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ".ci/deep", "scripts/check-results":
            (self.root / name).parent.mkdir(parents=True)
            shutil.copy(SOURCE / name, self.root / name)
        self.write(".ci/proofs", PROOFS)
        self.write("scripts/setup", "#!/bin/sh\n")
        (self.root / "scripts/setup").chmod(0o755)
        self.write(".gitignore", "/build/\n")
        self.write("src/a.cpp", "int a;\n")
        self.write("docs/results/broken_once.md", "# Broken once\n")
        self.git("init", "-q", "-b", "main")
        self.commit("Begin")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_in(self, *words, **variables):
        unwanted = ("GIT_", "COLLET_")
        environment = {key: value for key, value in os.environ.items() if not key.startswith(unwanted)}
        environment.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_SYSTEM="/dev/null", **variables)
        return subprocess.run(words, cwd=self.root, env=environment, capture_output=True, text=True, timeout=60)

    def git(self, *words):
        done = self.run_in("git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def commit(self, subject):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", subject)

    def deep(self, *words, **variables):
        return self.run_in(".ci/deep", *words, **variables)

    def result(self, name, folder="docs/results"):
        return (self.root / folder / f"{name}.md").read_text()

    def check(self, *words):
        return self.run_in("scripts/check-results", *words)


class Deep(Repository):
    def test_the_verdict_comes_from_the_exit_code(self):
        for name, code, verdict in ("good", 0, "passed"), ("slow", 3, "missed"), ("bad", 7, "failed with code 7"):
            done = self.deep(name)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertRegex(self.result(name), rf"(?m)^- verdict: {verdict}, in \d+ s$")
            self.assertNotIn("local changes", self.result(name))
        # One result does not stand in the way of the next, and all of them are in order.
        self.assertEqual(self.check().returncode, 0, self.check().stderr)

    def test_a_suite_that_fails_or_is_empty_is_noticed_where_the_code_is_asked_for(self):
        for output, code, noticed in (
            ("[==========] 3 tests from 1 test suite ran.", 0, False),
            ("[  FAILED  ] A.B", 1, True),
            ("Segmentation fault", 139, True),
            ("[==========] Running 0 tests from 0 test suites.", 0, True),
            ("[==========] 0 tests from 0 test suites ran.", 0, True),
        ):
            script = (
                f"set -euo pipefail; source {SOURCE}/.ci/proofs; work=.; suite() {{ echo '{output}'; return {code}; }}; "
                "held=yes; gtest suite || held=no; echo $held"
            )
            done = self.run_in("bash", "-c", script)
            self.assertEqual(done.stdout.split()[-1], "no" if noticed else "yes", f"{output}: {done.stderr}")

    def test_pieces_of_the_same_program_are_kept_where_that_is_asked_for(self):
        self.write("scripts/with-drivers", '#!/bin/sh\nexec "$@"\n')
        self.write("trial", '#!/bin/sh\necho "$@" >>ran\ncase $* in *513) exit 1;; esac\n')
        for name in "scripts/with-drivers", "trial":
            (self.root / name).chmod(0o755)

        def seeds(*words, **variables):
            (self.root / "ran").unlink(missing_ok=True)
            script = f"source {SOURCE}/.ci/proofs; in_pieces pieces 1 1500 ./trial {' '.join(words)}"
            done = self.run_in("bash", "-euo", "pipefail", "-c", script, **variables)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((self.root / "pieces/failed").read_text(), "513\n")
            return sorted(int(line.rpartition("=")[2]) for line in (self.root / "ran").read_text().splitlines())

        resume = {"COLLET_PROOF_RESUME": "1"}
        self.assertEqual(seeds("--a"), [1, 513, 1025])
        self.assertEqual(seeds("--a", **resume), [513])
        self.assertEqual(seeds("--a"), [1, 513, 1025])
        self.assertEqual(seeds("--b", **resume), [1, 513, 1025])
        self.write("trial", (self.root / "trial").read_text() + "# another program\n")
        self.assertEqual(seeds("--b", **resume), [1, 513, 1025])

    def test_a_changed_file_is_refused(self):
        self.write("src/a.cpp", "int b;\n")
        done = self.deep("good")
        self.assertEqual(done.returncode, 2)
        self.assertIn("refuses a tree with local changes", done.stderr)
        self.assertIn("src/a.cpp", done.stderr)
        self.assertFalse((self.root / "docs/results/good.md").exists())

    def test_an_untracked_file_is_refused_and_an_ignored_one_is_not(self):
        self.write("build/x.txt", "")
        self.assertEqual(self.deep("good").returncode, 0)
        self.write("src/new.cpp", "int c;\n")
        done = self.deep("good")
        self.assertEqual(done.returncode, 2)
        self.assertIn("src/new.cpp", done.stderr)

    def test_docs_results_by_another_spelling_is_refused_too(self):
        self.write("src/a.cpp", "int b;\n")
        self.assertEqual(self.deep("good", COLLET_RESULTS="src/../docs/results/").returncode, 2)

    def test_another_folder_takes_local_changes_and_says_so(self):
        self.write("src/a.cpp", "int b;\n")
        self.assertEqual(self.deep("good", COLLET_RESULTS="build/results").returncode, 0)
        self.assertRegex(self.result("good", "build/results"), r"(?m)^- commit: \w+, with local changes$")

    def test_a_tree_that_changes_meanwhile_proves_nothing(self):
        done = self.deep("moving")
        self.assertEqual(done.returncode, 4)
        self.assertIn("- verdict: failed with code 4", self.result("moving"))

    def test_what_was_written_stays_and_names_its_commit(self):
        self.deep("good")
        first = self.git("rev-parse", "--short=10", "HEAD")
        text = self.result("good") + "\n## What it means\n\nAll is well, we think.\n"
        self.write("docs/results/good.md", text)
        self.deep("good")  # the same commit
        self.assertNotIn("Written for", self.result("good"))
        for _ in range(2):
            self.git("commit", "-q", "--allow-empty", "-m", "Later")
            self.deep("good")
            self.assertIn(f"\n```\n\n## What it means\n\nWritten for the result of {first}.\n\nAll is well, we think.\n",
                          self.result("good"))
            self.assertEqual(self.result("good").count("Written for"), 1)

    def test_a_name_that_is_no_proof_is_code_2(self):
        done = self.deep("nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("(nothing)", done.stderr)


class CheckResults(Repository):
    def setUp(self):
        super().setUp()
        self.deep("good")
        self.commit("Add a result")

    def assert_noticed(self, words, *arguments):
        done = self.check(*arguments)
        self.assertEqual(done.returncode, 1)
        self.assertIn("docs/results/good.md", done.stderr)
        self.assertIn(words, done.stderr)

    def change(self, old, new):
        self.assertIn(old, self.result("good"))
        self.write("docs/results/good.md", self.result("good").replace(old, new))

    def test_a_sound_result_passes(self):
        done = self.check()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_verdict_by_hand_is_noticed(self):
        self.change("- verdict: passed, in", "- verdict: nearly passed, in")
        self.assert_noticed("nearly passed")

    def test_local_changes_are_noticed(self):
        commit = self.git("rev-parse", "--short=10", "HEAD~1")
        self.change(f"- commit: {commit}", f"- commit: {commit}, with local changes")
        self.assert_noticed("cannot be repeated")

    def test_a_commit_of_another_history_is_noticed(self):
        commit = self.git("rev-parse", "--short=10", "HEAD~1")
        self.git("checkout", "-q", "--orphan", "other")
        self.commit("Begin again")
        self.assert_noticed(f"({commit}) is not in the history")
        self.change(commit, "0123456789")
        self.assert_noticed("(0123456789) is not in this repository")

    def test_a_result_older_than_asked_for_is_noticed(self):
        self.assertEqual(self.check("--since=HEAD~1").returncode, 0)
        self.assert_noticed("older than HEAD", "--since=HEAD")

    def test_a_shallow_clone_does_not_blame_what_it_cannot_see(self):
        shallow = self.root / "build/shallow"
        self.git("clone", "-q", "--depth=1", f"file://{self.root}", str(shallow))
        done = self.run_in(str(shallow / "scripts/check-results"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_listed_result_is_warned_of_until_it_is_in_order(self):
        self.change("- verdict: passed, in", "- verdict: nearly passed, in")
        self.write("docs/results/stale.txt", "# known\ngood by hand\n")
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: docs/results/good.md is stale", done.stdout)
        self.change("- verdict: nearly passed, in", "- verdict: passed, in")
        self.assert_noticed("take its line out")

    def test_a_result_without_a_proof_is_noticed(self):
        self.write("docs/results/other.md", "# .ci/deep other\n")
        self.assertIn("docs/results/other.md: there is no such proof", self.check().stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
