"""Tells CTest which tests a GoogleTest program has, with their labels: discover.py PROGRAM OUTPUT [--suites] LABEL=PATTERN...

OUTPUT is a file for TEST_INCLUDE_FILES. A test has every label whose pattern (a Python regular expression) is found in
FOLDER/FILE:SUITE.TEST, such as `cli/help_test.cc:Help.FitsEightyColumns`, and `unit` where it does not start the program.
With --suites the tests of a suite that have the same labels share a process: quicker where starting one is slow.
"""

import argparse
import json
import re
import subprocess
import tempfile
from pathlib import Path

TIMEOUT = 900  # seconds
SKIPPED = {False: r"\[  SKIPPED \]", True: r"\[  PASSED  \] 0 tests"}  # a test, or every test of a suite


def listed(program: str) -> list:
    """(suite, test, file) of every test, the file as it stands below tests/."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tests.json"
        subprocess.run([program, "--gtest_list_tests", f"--gtest_output=json:{path}"], check=True, stdout=subprocess.DEVNULL)
        suites = json.loads(path.read_text(encoding="utf-8"))["testsuites"]
    return [(s["name"], t["name"], t["file"].split("/tests/")[-1]) for s in suites for t in s["testsuite"]]


def labels(suite: str, test: str, file: str, patterns: list) -> tuple:
    key = f"{file}:{suite}.{test}"
    found = [label for label, pattern in patterns if re.search(pattern, key)]
    return tuple(found if "program" in found else ["unit", *found])


def groups(tests: list, patterns: list, suites: bool) -> dict:
    """name -> (names of tests, labels) of each process."""
    found = {}
    for suite, test, file in tests:
        of_test = labels(suite, test, file, patterns)
        name = f"{suite}.{test}"
        if suites:
            same = [key for key in found if key.split(" ")[0] == suite]
            name = next((key for key in same if found[key][1] == of_test), suite if not same else f"{suite} ({' '.join(of_test)})")
        found.setdefault(name, ([], of_test))[0].append(f"{suite}.{test}")
    return found


def ctest_lines(program: str, found: dict, suites: bool):
    for name, (tests, of_group) in found.items():
        yield f"add_test([=[{name}]=] [=[{program}]=] [=[--gtest_filter={':'.join(tests)}]=])"
        yield f"set_tests_properties([=[{name}]=] PROPERTIES TIMEOUT {TIMEOUT} SKIP_REGULAR_EXPRESSION [=[{SKIPPED[suites]}]=] LABELS [=[{';'.join(of_group)}]=])"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("output", type=Path)
    parser.add_argument("patterns", nargs="*", type=lambda text: text.split("=", 1))
    parser.add_argument("--suites", action="store_true")
    given = parser.parse_intermixed_args()
    found = groups(listed(given.program), given.patterns, given.suites)
    given.output.write_text("\n".join(ctest_lines(given.program, found, given.suites)) + "\n", encoding="utf-8")
