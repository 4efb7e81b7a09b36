"""One line per run of ctest: how many tests passed, how many were skipped, and why.

ctest_summary.py FILE... reads what `ctest --output-junit` wrote. A test says why it is skipped: GTEST_SKIP() << reason.
Under sanitizers a \"test\" is a whole suite.
"""

import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

SKIPPED = ": Skipped"  # how GoogleTest ends the line before the reason


def reason(case: ElementTree.Element) -> str:
    lines = (case.findtext("system-out") or "").splitlines()
    of_pytest = [line for line in lines if line.startswith("SKIPPED [")]
    if of_pytest:  # SKIPPED [1] python/tests/test_gpu.py:7: no GPU
        return of_pytest[0].split(": ", 1)[-1].strip()
    places = [number for number, line in enumerate(lines) if line.endswith(SKIPPED)]
    return lines[places[0] + 1].strip() if places else "no reason given"


def summary(cases: list) -> str:
    skipped = Counter(reason(case) for case in cases if case.find("skipped") is not None)
    failed = sum(case.find("failure") is not None for case in cases)
    line = f"{len(cases) - skipped.total() - failed} tests passed"
    if failed:
        line += f", {failed} failed"
    if skipped:
        line += f", {skipped.total()} skipped: " + "; ".join(f"{why} ({count})" for why, count in sorted(skipped.items()))
    return line


if __name__ == "__main__":
    for name in sys.argv[1:]:
        cases = ElementTree.parse(name).getroot().findall("testcase")
        print(f"{Path(name).stem.replace('ctest-', 'ctest, ')}: {summary(cases)}")
