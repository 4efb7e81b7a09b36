"""What the system refuses is the exception that Python has for it, with the library's one line."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import wordbreadth as wb

# Nothing is refused to root.
AS_NOBODY = """
import os, sys
import numpy as np
import wordbreadth as wb
folder, model, corpus = sys.argv[1:]
store = wb.Store(folder + "/a.store")
ranking = store.rank()
if os.geteuid() == 0:
    os.setuid(65534)
attempts = {
    "pairs": lambda: wb.pairs(folder + "/forbidden.npz"),
    "load": lambda: wb.load(folder + "/forbidden.npz"),
    "store": lambda: wb.Store(folder + "/forbidden.store"),
    "store below": lambda: wb.Store(folder + "/locked/a.store"),
    "words": lambda: store.rank(words=folder + "/forbidden.txt"),
    "create": lambda: wb.Store.create(folder + "/closed/new.store", {"a": np.eye(3)}),
    "export": lambda: store.export(folder + "/closed/new.npz"),
    "to_html": lambda: ranking.to_html(folder + "/closed/new.html"),
    "corpus": lambda: wb.extract(model, folder + "/forbidden.txt", folder + "/open/new.store", max_tokens=32),
    "out": lambda: wb.extract(model, corpus, folder + "/closed/new.store", max_tokens=32),
}
for name, attempt in attempts.items():
    try:
        attempt()
        print(name, "nothing")
    except Exception as error:
        print(name, type(error).__name__, getattr(error, "errno", None), repr(str(error)), sep="\\t")
"""


def lines_of(code: str, *arguments: object) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout.splitlines()


@pytest.fixture
def public():
    """A folder that others may enter. Those of pytest are its user's alone: each pytest that starts sees to that."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        for inside in folder.iterdir():  # else only root could remove them
            inside.chmod(0o755)


def test_what_is_forbidden_is_a_permission_error(model, corpus, public):
    shutil.copytree(model, public / "model")
    shutil.copy(corpus, public / "corpus.txt")
    for place in ("a.store", "forbidden.store", "locked/a.store"):
        wb.Store.create(public / place, {"a": [[1, 2], [2, 1]], "b": [[1, 3], [2, 1]]})
    for name in ("forbidden.npz", "forbidden.txt"):
        (public / name).write_text("text\n")
    for name, mode in (("open", 0o777), ("closed", 0o555)):
        (public / name).mkdir()
        (public / name).chmod(mode)
    for name in ("forbidden.npz", "forbidden.txt", "forbidden.store", "locked"):
        (public / name).chmod(0)
    found = lines_of(AS_NOBODY, public, public / "model", public / "corpus.txt")
    assert len(found) == 10
    for line in found:
        name, error, errno, message = line.split("\t")
        assert (error, errno) == ("PermissionError", "13"), line
        assert str(public) in message and "\\n" not in message, line


OUT_OF_MEMORY = """
import resource, sys
import numpy as np
import wordbreadth as wb
random = np.random.default_rng(1)
x, y = random.normal(size=(2, 2000, 64)) + 1
wb.test(x[:50], y[:50], permutations=100, threads=1)  # starts the threads
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**28,) * 2)
for attempt in (
    lambda: wb.test(x, y, permutations=10**8, null_distribution=True, threads=1),
    lambda: wb.test(x, y, permutations=100, threads=1),
):
    try:
        attempt()
        print("found")
    except Exception as error:
        print(type(error).__name__, error, sep="\\t")
"""


def test_too_little_memory_is_a_memory_error_and_the_next_call_works():
    refused, found = lines_of(OUT_OF_MEMORY)
    assert refused == "MemoryError\tout of memory; free some, or use fewer threads or smaller clouds"
    assert found == "found"


def test_bad_values_are_value_errors_of_one_line(store):
    with pytest.raises(ValueError) as raised:
        store.test("bank", "tree", common_size=61)
    assert str(raised.value) == f"bank ({store.folder}): has 60 rows, fewer than the common size of 61"
    with pytest.raises(ValueError, match="not both"):
        store.test("bank", "tree", blocks="none", statistic="robust")
    with pytest.raises(ValueError, match="'document' or 'none'"):
        wb.pairs(store, blocks="row")
