"""The package and the program give the same results, bit for bit."""

import numpy as np
import pytest

import wordbreadth as wb

OPTIONS = {
    "default": ({}, []),
    "greater": ({"alternative": "greater"}, ["--alternative", "greater"]),
    "less": ({"alternative": "less"}, ["--alternative", "less"]),
    "permutations": ({"permutations": 777}, ["--permutations", "777"]),
    "no alignment": ({"align": "none"}, ["--align", "none"]),
    "plain": ({"statistic": "plain"}, ["--statistic", "plain"]),
    "robust": ({"statistic": "robust"}, ["--statistic", "robust"]),
    "seed": ({"seed": 2**40 + 3}, ["--seed", str(2**40 + 3)]),
    "adaptive": ({"adaptive": 5}, ["--adaptive", "5"]),
    "confidence": ({"confidence": 0.8}, ["--confidence", "0.8"]),
    "tail": ({"tail_estimate": True}, ["--tail-estimate"]),
    "equivalence": ({"equivalence": 1.5}, ["--equivalence", "1.5"]),
    "device": ({"device": "reference", "permutations": 300}, ["--device", "reference", "--permutations", "300"]),
    "threads": ({"threads": 1}, ["--threads", "1"]),
}
HOW_RUN = {"seconds", "x_source", "y_source", "provenance"}


def same(ours: dict, theirs: dict) -> bool:
    assert set(theirs) - {"provenance"} == set(ours)
    return all(ours[key] == theirs[key] for key in ours if key not in HOW_RUN)


@pytest.fixture(scope="module")
def files(tmp_path_factory, x, y):
    folder = tmp_path_factory.mktemp("clouds")
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", y)
    return folder / "x.npy", folder / "y.npy"


@pytest.mark.parametrize("case", OPTIONS)
def test_every_option_of_a_test(case, files, program, x, y):
    ours, theirs = OPTIONS[case]
    assert same(wb.test(x, y, **ours).to_dict(), program("test", *files, "--format", "json", *theirs))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_every_element_type(dtype, tmp_path, program, x, y):
    for name, rows in (("x", x), ("y", y)):
        np.save(tmp_path / f"{name}.npy", rows.astype(dtype))
    theirs = program("test", tmp_path / "x.npy", tmp_path / "y.npy", "--format", "json")
    assert same(wb.test(x.astype(dtype), y.astype(dtype)).to_dict(), theirs)


def test_blocks(tmp_path, files, program, x, y):
    labels = {"x": [f"d{i // 4}" for i in range(len(x))], "y": [f"d{i % 9}" for i in range(len(y))]}
    (tmp_path / "labels.tsv").write_text("".join(f"{name}\t{one}\n" for name in labels for one in labels[name]))
    theirs = program("test", *files, "--format", "json", "--blocks", tmp_path / "labels.tsv")
    ours = wb.test(x, y, blocks_x=labels["x"], blocks_y=labels["y"])
    assert ours.statistic_name == "blocks" and ours.blocks_x == 15
    assert same(ours.to_dict(), theirs)


def test_the_null_distribution(tmp_path, files, program, x, y):
    program("test", *files, "--format", "json", "--null", tmp_path / "null.npy")
    ours = wb.test(x, y, null_distribution=True).null_distribution
    assert np.array_equal(ours, np.load(tmp_path / "null.npy"))


@pytest.mark.parametrize("adjust", ["bh", "by", "holm", "maxT", "none"])
def test_pairs(adjust, tmp_path, program, x, y):
    clouds = {"a": x, "b": y, "c": x[:30], "d": y[5:]}
    np.savez(tmp_path / "clouds.npz", **clouds)
    theirs = program("pairs", tmp_path / "clouds.npz", "--all", "--adjust", adjust, "--format", "json")
    ours = wb.pairs(clouds, adjust=adjust)
    of_file = wb.pairs(tmp_path / "clouds.npz", adjust=adjust)
    with wb.Session() as session:
        for name, rows in clouds.items():
            session.add(rows, name=name)
        of_session = session.pairs(adjust=adjust)
    for found in (ours, of_file, of_session):
        assert len(found) == 6
        assert all(map(same, found.to_dict()["results"], theirs["results"]))


def test_breadth(files, program, x):
    theirs = program("breadth", files[0], "--format", "json")["results"][0]
    ours = wb.breadth(x)
    for key in ("n", "d", "r", "kappa", "v", "breadth", "standard_error", "log_v_standard_error"):
        assert getattr(ours, key) == theirs[key]
