#!/usr/bin/env python3
"""Runs recorded dispatches in a headless Chromium's WebGPU and compares the buffers.

    tests/browser/run.py FOLDER [--chromium PROGRAM] [--seconds N]

FOLDER has what `collet-conformance --through=record` wrote. Ends with 0 where every dispatch gave the bytes that were
recorded; a dispatch listed in differs.txt need not, and one that is listed and agrees each time is told.
"""

import argparse
import fnmatch
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
FLAGS = [
    "--headless=new", "--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader",
    "--enable-unsafe-swiftshader", "--use-angle=swiftshader", "--enable-features=Vulkan",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
]


class Session:
    """What the page has said so far. Threads: `results` grows on the server's; read once `done` is set."""

    def __init__(self, folder):
        self.folder = folder
        self.names = sorted(path.name for path in folder.glob("*.json"))
        self.results, self.end, self.done = {}, {}, threading.Event()


def handler_of(session):
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def answer(self, body, kind):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            name = self.path.removeprefix("/records/")
            if self.path == "/":
                self.answer((HERE / "page.html").read_bytes(), "text/html")
            elif self.path == "/records":
                self.answer(json.dumps(session.names).encode(), "application/json")
            elif name in session.names:
                self.answer((session.folder / name).read_bytes(), "application/json")
            else:
                self.send_error(404)

        def do_POST(self):
            said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path == "/result":
                session.results[said["name"]] = said["wrong"]
            else:
                session.end = said
                session.done.set()
            self.answer(b"{}", "application/json")

    return Handler


def listed_reasons():
    """Of dispatches whose result is not the same each time: a pattern of names and the reason."""
    lines = [line for line in (HERE / "differs.txt").read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split(" ", 1) for line in lines)


def kernel_of(name):
    return name.split("_", 1)[1].removesuffix(".json")


def report(session):
    """The exit code, after the figures."""
    reasons = listed_reasons()
    wrong = {name: text for name, text in session.results.items() if text}
    excused = {name for name in wrong if any(fnmatch.fnmatch(kernel_of(name), pattern) for pattern in reasons)}
    for name in sorted(wrong.keys() - excused):
        print(f"{name}: {wrong[name].splitlines()[0]}")
    missing = len(session.names) - len(session.results)
    kernels = len({kernel_of(name) for name in session.results})
    print(f"{len(session.results)} dispatches of {kernels} kernels ran, {len(wrong) - len(excused)} differ, "
          f"{len(excused)} differ and are listed, {missing} did not run")
    if "error" in session.end:
        print(f"The page ended with: {session.end['error']}")
    else:
        print(f"adapter: {session.end.get('adapter', 'not told')}")
    good = session.results and not missing and not wrong.keys() - excused and "error" not in session.end
    return 0 if good else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--chromium", default="chromium")
    parser.add_argument("--seconds", type=int, default=900)
    options = parser.parse_args()
    session = Session(options.folder)
    if not session.names:
        sys.exit(f"tests/browser/run.py: {options.folder} has no record, so nothing is proven.")
    program = shutil.which(options.chromium)
    if not program:
        sys.exit(f"tests/browser/run.py: there is no program ({options.chromium}); scripts/setup --browser installs it.")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler_of(session))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        words = [program, *FLAGS, f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}/"]
        with open(os.path.join(profile, "log"), "w") as log:
            browser = subprocess.Popen(words, stdout=log, stderr=log)
            in_time = session.done.wait(options.seconds)
            browser.kill()
            browser.wait()
    print(subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip())
    if not in_time:
        print(f"The page did not end in {options.seconds} s.")
    return report(session) if in_time else report(session) or 1


if __name__ == "__main__":
    sys.exit(main())
