"""Arrays in the memory of a GPU are tested where they are, with the results of the host."""

import multiprocessing

import numpy as np
import pytest

import wordbreadth as wb

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or not {device.name: device.available for device in wb.devices()}["cuda"]:
    pytest.skip("no GPU, or a build without CUDA", allow_module_level=True)


def plain(result):
    return result.to_dict() | {"seconds": 0, "device": ""}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("options", [{}, {"statistic": "robust"}, {"alternative": "less", "seed": 7}])
def test_tensors_of_torch(dtype, options, x, y):
    a, b = (torch.from_numpy(rows).to(getattr(torch, dtype)) for rows in (x, y))
    expected = plain(wb.test(a, b, device="cpu", **options))
    assert plain(wb.test(a.cuda(), b.cuda(), **options)) == expected
    assert plain(wb.test(a.cuda(), b, **options)) == expected
    assert plain(wb.test(a.cuda().T.contiguous().T, b.cuda().requires_grad_(), **options)) == expected


def test_what_is_still_being_written(x, y):
    """Another stream may be at work on a tensor."""
    a, b = torch.from_numpy(x).cuda(), torch.from_numpy(y).cuda()
    big = torch.randn(8000, 8000, device="cuda")
    with torch.cuda.stream(torch.cuda.Stream()):
        for _ in range(20):
            big = big @ big / 8000
        late = a + 0 * big[0, 0]
        found = wb.test(late, b)
    assert plain(found) == plain(wb.test(x, y, device="cpu"))


def test_pairs_blocks_and_breadth(x, y):
    host = {"a": x, "b": y, "c": x[:30].copy(), "bad": np.zeros_like(x)}
    there = {name: torch.from_numpy(rows).cuda() for name, rows in host.items()}
    blocks = {name: np.arange(len(rows)) // 4 for name, rows in host.items()}
    for options in ({}, {"blocks": blocks}, {"adjust": "maxT"}):
        ours, expected = wb.pairs(there, **options), wb.pairs(host, device="cpu", **options)
        assert list(map(plain, ours)) == list(map(plain, expected))
        assert np.array_equal(ours.pvalue_adjusted, expected.pvalue_adjusted, equal_nan=True)
    assert wb.breadth(there["a"], blocks=blocks["a"]).breadth == wb.breadth(x, blocks=blocks["a"]).breadth


def test_a_session_keeps_tensors(x, y):
    a = torch.from_numpy(x).cuda()
    with wb.Session("cuda") as session:
        session.add(a, name="x")
        session.add(y, name="y")
        assert plain(session.test("x", "y")) == plain(wb.test(x, y, device="cpu"))


@pytest.mark.parametrize("wrong", ["zeros", "nan", "same", "one"])
def test_bad_tensors_are_reported_as_those_of_the_host(wrong, x, y):
    rows = {"zeros": 0 * x, "nan": np.nan * x, "same": np.ones_like(x), "one": x[:1]}[wrong]
    messages = []
    for cloud in (rows, torch.from_numpy(rows).cuda()):
        with pytest.raises(ValueError) as raised:
            wb.test(cloud, y)
        messages.append(str(raised.value))
    assert messages[0] == messages[1]


def test_the_cpu_does_not_take_tensors_of_the_gpu(x, y):
    with pytest.raises(ValueError, match="GPU|device"):
        wb.test(torch.from_numpy(x).cuda(), y, device="cpu")


def test_a_gpu_can_be_named(x, y):
    expected = plain(wb.test(x, y, device="cpu"))
    assert plain(wb.test(x, y, device="cuda:0")) == expected
    assert plain(wb.test(torch.from_numpy(x).cuda(), y, device="cuda:0")) == expected
    with pytest.raises(ValueError, match="device 'cuda:64' cannot be used: there (is one GPU|are [0-9]+ GPUs), cuda:0"):
        wb.test(x, y, device="cuda:64")


def p_in_child(rows):
    return wb.test(*rows).pvalue


@pytest.mark.filterwarnings("ignore")
def test_a_forked_process_says_that_cuda_cannot_be_used(x, y):
    wb.test(torch.from_numpy(x).cuda(), y)
    with multiprocessing.get_context("fork").Pool(1) as pool, pytest.raises(RuntimeError, match="spawn"):
        pool.map_async(p_in_child, [(x, y)]).get(timeout=60)


def test_arrays_of_cupy_and_jax(x, y):
    expected = plain(wb.test(x, y, device="cpu"))
    for module in ("cupy", "jax.numpy"):
        library = pytest.importorskip(module)
        assert plain(wb.test(library.asarray(x), library.asarray(y))) == expected
