"""Calls run without the GIL, end on Ctrl-C, and live with threads, forks and the end of the interpreter."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import wordbreadth as wb

LONG = {"permutations": 50_000_000, "statistic": "robust"}


def interrupt_after(seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.parametrize("call", ["test", "pairs", "session", "reference"])
def test_ctrl_c_ends_a_call(call, large):
    x, y = large
    session = wb.Session()
    a, b = session.add(x), session.add(y)
    calls = {
        "test": lambda: wb.test(x, y, **LONG),
        "pairs": lambda: wb.pairs([x, y], **LONG),
        "session": lambda: session.test(a, b, **LONG),
        "reference": lambda: wb.test(x[:200], y[:200], device="reference", permutations=10_000_000),
    }
    sent = time.monotonic() + 1
    interrupt_after(1)
    with pytest.raises(KeyboardInterrupt):
        calls[call]()
    assert time.monotonic() - sent < float(os.environ.get("WORDBREADTH_PATIENCE", "0.2"))


def test_progress_is_reported_and_may_end_the_call(large):
    seen = []
    wb.test(large[0][:500], large[1][:500], permutations=100_000, progress=seen.append)
    assert seen == sorted(seen) and all(0 <= share <= 1 for share in seen)

    def refuse(share):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        wb.test(*large, **LONG, progress=refuse)
    with pytest.raises(TypeError, match="progress"):
        wb.test(*large, progress=3)


def test_other_threads_run_meanwhile(large):
    ticks = 0
    ended = threading.Event()

    def count():
        nonlocal ticks
        while not ended.wait(0.005):
            ticks += 1

    other = threading.Thread(target=count)
    other.start()
    start = time.monotonic()
    wb.test(large[0][:400], large[1][:400], permutations=200_000, statistic="robust")
    spent = time.monotonic() - start
    ended.set()
    other.join()
    assert ticks > 0.2 * spent / 0.005


def test_threads_use_sessions_of_their_own_at_once(x, y):
    expected = wb.test(x, y).to_dict() | {"seconds": 0}
    found = []

    def work():
        with wb.Session(threads=2) as session:
            a, b = session.add(x, name="x"), session.add(y, name="y")
            found.extend(session.test(a, b).to_dict() | {"seconds": 0} for _ in range(5))
            found.append(wb.test(x, y).to_dict() | {"seconds": 0})

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 24 and all(one == expected for one in found)


def p_in_child(rows):
    return wb.test(*rows, device="cpu").pvalue


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_processes_may_be_started_at_any_time(method, x, y):
    expected = wb.test(x, y).pvalue  # OpenMP is in use before the fork
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(p_in_child, [(x, y)] * 3).get(timeout=60) == [expected] * 3


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_session_is_refused(x):
    session = wb.Session()
    session.add(x)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            session.add(x)
        except RuntimeError as error:
            os.write(writing, str(error).encode())
        finally:
            del session
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        assert "forked" in pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    assert len(session) == 1


@pytest.mark.parametrize(
    "end",
    [
        "pass",
        "session = wb.Session(); session.add(x); kept = session",
        "found = wb.test(x, x[::-1].copy() + 1, permutations=9, null_distribution=True); n = found.null_distribution",
        "import threading; threading.Thread(target=wb.test, args=(x, x + 1), daemon=True).start()",
        "import threading; threading.Thread(target=wb.test, args=(x, x + 1), kwargs={'permutations': 10**9, 'seed': 1},"
        " daemon=True).start(); import time; time.sleep(0.2)",
        "many = wb.pairs([x, x + 1], permutations=10); wb.many = many",
    ],
)
def test_the_interpreter_ends_quietly(end):
    """Without crashes, and without objects that the module has lost count of."""
    script = f"""
        import numpy as np
        import wordbreadth as wb
        from wordbreadth import _core
        _core.set_leak_warnings({"daemon" not in end})  # such a thread never lets go
        x = np.random.default_rng(0).normal(size=(50, 16))
        {end}
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_heavy_is_imported_until_it_is_needed():
    script = """
        import sys, numpy
        before = set(sys.modules)
        import wordbreadth
        print(sorted({name.split(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names)))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['wordbreadth']"


@pytest.mark.parametrize("first", ["torch", "wordbreadth"])
def test_torch_lives_in_the_same_process(first, x, y, tmp_path):
    """It brings an OpenMP of its own."""
    pytest.importorskip("torch")
    np.savez(tmp_path / "clouds.npz", x=x, y=y)
    script = f"""
        import {first}
        import numpy as np, torch, wordbreadth as wb
        clouds = np.load({str(tmp_path / "clouds.npz")!r})
        product = torch.randn(300, 300) @ torch.randn(300, 300)
        p = wb.test(torch.from_numpy(clouds["x"]), clouds["y"]).pvalue
        product = product @ torch.randn(300, 300)
        assert wb.test(clouds["x"], clouds["y"]).pvalue == p
        print(p)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == wb.test(x, y).pvalue
