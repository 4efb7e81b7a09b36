import inspect

import numpy as np
import pytest

import wordbreadth as wb
from wordbreadth._options import options


@pytest.mark.parametrize(
    "wrong, error, message",
    [
        ({"alternative": "grater"}, ValueError, "alternative = 'grater'.*did you mean greater"),
        ({"alternative": None}, TypeError, "alternative"),
        ({"align": "procrustes"}, ValueError, "align"),
        ({"statistic": "t"}, ValueError, "statistic"),
        ({"statistic": "blocks"}, ValueError, "block"),
        ({"permutations": 0}, ValueError, "permutations"),
        ({"permutations": -1}, ValueError, "permutations = -1"),
        ({"permutations": 1e4}, TypeError, "permutations = 10000.0; expected a whole number"),
        ({"permutations": 2**70}, ValueError, "permutations"),
        ({"seed": -1}, ValueError, "seed"),
        ({"adaptive": "often"}, TypeError, "adaptive"),
        ({"confidence": 1.0}, ValueError, "confidence"),
        ({"equivalence": 1.0}, ValueError, "equivalence"),
        ({"equivalence": 1.2, "confidence": 0.4}, ValueError, "equivalence needs a confidence"),
        ({"device": "tpu"}, ValueError, "tpu"),
        ({"device": "cuda:64"}, ValueError, "device 'cuda:64' cannot be used: "),
        ({"threads": 0}, ValueError, "threads"),
        ({"threads": 10**6}, ValueError, "threads"),
        ({"names": ("a",)}, ValueError, "unpack"),
    ],
)
def test_a_wrong_option_is_one_line(wrong, error, message, x, y):
    with pytest.raises(error, match=message) as raised:
        wb.test(x, y, **wrong)
    assert "\n" not in str(raised.value)


def test_whole_numbers_may_be_numpys(x, y):
    assert wb.test(x, y, permutations=np.int32(100)).permutations == 100


def test_defaults_of_a_test_are_those_of_all_options():
    of_test = inspect.signature(wb.test).parameters
    for name, parameter in inspect.signature(options).parameters.items():
        assert of_test[name].default == parameter.default


def test_files_that_are_missing_or_forbidden(tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        wb.pairs(tmp_path / "none.npz")
    assert str(raised.value) == f"{tmp_path}/none.npz: no such file" and raised.value.errno == 2
    (tmp_path / "text.npz").write_text("no archive")
    with pytest.raises(ValueError, match="text.npz"):
        wb.pairs(tmp_path / "text.npz")
