"""extract and the encoder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from stores import bytes_of

import wordbreadth as wb


@pytest.fixture(scope="module")
def extracted(model, corpus, tmp_path_factory) -> wb.Store:
    return wb.extract(model, corpus, tmp_path_factory.mktemp("extracted") / "my.store", min_count=20, max_tokens=32)


def test_extract_returns_the_store_and_what_was_done(extracted, model):
    assert "bank" in extracted
    assert extracted.summary.finished
    assert extracted.summary.words == len(extracted)
    assert extracted.settings["min count"] == "20"
    assert "words" in repr(extracted.summary)
    assert extracted.sources["format"].tolist() == ["text"] or len(extracted.sources) == 1


def test_the_store_is_the_program_s(extracted, model, corpus, printed, tmp_path):
    summary = printed(
        "extract",
        "--model",
        model,
        "--corpus",
        corpus,
        "--out",
        tmp_path / "theirs.store",
        "--min-count",
        20,
        "--max-tokens",
        32,
    )
    theirs = wb.Store(tmp_path / "theirs.store")
    assert list(theirs) == list(extracted)
    for word in theirs:
        assert (theirs[word] == extracted[word]).all()
    ours = {**extracted.summary.to_dict(), "store": summary["store"]}
    assert {key: value for key, value in ours.items() if "seconds" not in key} == {
        key: value for key, value in summary.items() if "seconds" not in key
    }


def test_options_reach_the_plan(model, corpus, tmp_path):
    made = wb.extract(
        model,
        [corpus],
        tmp_path / "s.store",
        words=["bank", "oboe"],
        min_count=2,
        max_tokens=32,
        per_word=7,
        layers=(1, 2),
        subwords="mean",
        case="keep",
        sample="documents",
        deduplicate="none",
        seed=3,
        progress=False,
    )
    assert list(made) == ["bank"]
    assert len(made["bank"]) == 7
    assert made.missing["word"].tolist() == ["oboe"]
    settings = made.settings
    assert (settings["layers"], settings["subwords"], settings["case"], settings["seed"]) == (
        "1-2",
        "mean",
        "keep",
        "3",
    )


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"subwords": "middle"}, ValueError, "'single', 'mean', 'first' or 'last'"),
        ({"layers": (1, 2, 3)}, ValueError, "the first and the last of a range"),
        ({"layer": "four"}, ValueError, "a layer such as 4"),
        ({"layer": [1, 1]}, ValueError, "1 is named twice"),
        ({"layer": 1, "layers": 2}, TypeError, "not both"),
        ({"min_count": -1}, ValueError, "min_count"),
        ({"corpus_format": "word"}, ValueError, "word"),
    ],
)
def test_bad_options_say_what_was_expected(model, corpus, tmp_path, options, error, message):
    with pytest.raises(error, match=message):
        wb.extract(model, corpus, tmp_path / "x.store", max_tokens=32, **options)


def test_several_layers_in_one_run(model, corpus, tmp_path):
    options = {"min_count": 20, "max_tokens": 32, "device": "cpu", "progress": False}
    made = wb.extract(model, corpus, tmp_path / "all.store", layer=[3, 1, (0, 2), 2], **options)
    assert made.layers == ["0-2", "1", "2", "3"]
    assert made.layer == "1" == made.settings["layers"]  # one third up, of 3
    assert "layer 1 of 0-2, 1, 2, 3" in repr(made)
    assert made.expression.endswith("layer='1')")
    for layer in [1, 3, (0, 2), "2"]:
        alone = wb.extract(model, corpus, tmp_path / f"{layer}.store", layer=layer, **options)
        among = wb.Store(tmp_path / "all.store", layer=layer)
        assert all((among[word] == alone[word]).all() for word in alone)
        pairs = [list(alone)[:2]]
        found, expected = (wb.pairs(clouds, pairs, permutations=99) for clouds in (among, alone))
        assert [each.T for each in found] == [each.T for each in expected]
    with pytest.raises(ValueError, match='has no layer "7"; it has layers 0-2, 1, 2, 3'):
        wb.Store(tmp_path / "all.store", layer=7)
    without = wb.extract(model, corpus, tmp_path / "some.store", layer=[2, 3], **options)
    assert without.layer == "3"
    with pytest.raises(ValueError, match="has layers 2, 3, and not the default, 1; name one of them"):
        wb.Store(tmp_path / "some.store")


def test_what_is_missing_is_named(model, tmp_path):
    with pytest.raises(TypeError, match="corpus is missing"):
        wb.extract(model, out=tmp_path / "x.store")
    with pytest.raises(TypeError, match="out"):
        wb.extract(model, "corpus.txt")


def test_a_store_that_is_there_can_be_resumed(extracted, model, corpus):
    with pytest.raises(wb.ResumableError) as raised:
        wb.extract(model, corpus, extracted.folder)
    assert raised.value.folder == extracted.folder
    assert wb.extract(out=extracted.folder, resume=True).summary.finished
    with pytest.raises(ValueError, match="seed"):
        wb.extract(out=extracted.folder, resume=True, seed=5)


def test_a_plan_is_resumed_without_the_corpus(extracted, model, corpus, tmp_path):
    folder = tmp_path / "planned.store"
    plan = wb.extract(model, corpus, folder, min_count=20, max_tokens=32, plan_only=True)
    assert not plan.finished
    assert not wb.info(folder).finished
    with pytest.raises(ValueError, match="not finished|resume"):
        wb.Store(folder)
    made = wb.extract(out=folder, resume=True)
    assert all((made[word] == extracted[word]).all() for word in extracted)


def test_progress_is_told_stage_by_stage(model, corpus, tmp_path):
    told = []
    wb.extract(model, corpus, tmp_path / "x.store", min_count=20, max_tokens=32, progress=lambda *now: told.append(now))
    assert told
    assert all(stage in ("reading", "collecting", "embedding", "joining") and 0 <= done <= 1 for stage, done, _ in told)


def test_what_progress_raises_ends_the_work(model, corpus, tmp_path):
    def refuse(stage: str, done: float, units: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        wb.extract(model, [corpus] * 1, tmp_path / "x.store", min_count=20, max_tokens=32, progress=refuse)


INTERRUPTED = """
import sys, wordbreadth as wb
def tell(stage, done, units):
    if stage == "embedding" and done > 0:
        print("embedding", flush=True)
try:
    wb.extract({model!r}, {corpus!r}, {out!r}, min_count=20, max_tokens=32, per_word=0, shard_tokens=1000, threads=1,
               progress=tell)
except KeyboardInterrupt as stopped:
    print("stopped", stopped.folder, *stopped.__notes__)
"""


def test_ctrl_c_leaves_a_store_that_is_resumed_to_the_same_bytes(model, corpus, tmp_path):
    long = tmp_path / "long.txt"  # a few seconds of work
    lines = Path(corpus).read_text().splitlines()
    random = np.random.default_rng(5)
    long.write_text("\n".join(" ".join(random.permutation(line.split())) for line in lines * 25))
    code = INTERRUPTED.format(model=model, corpus=str(long), out=str(tmp_path / "a.store"))
    running = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "embedding\n"
    running.send_signal(signal.SIGINT)
    rest = running.communicate(timeout=60)[0]
    assert running.returncode == 0
    assert f"stopped {tmp_path / 'a.store'}" in rest and "resume=True" in rest
    assert not wb.info(tmp_path / "a.store").finished
    wb.extract(out=tmp_path / "a.store", resume=True)
    wb.extract(model, long, tmp_path / "b.store", min_count=20, max_tokens=32, per_word=0, shard_tokens=1000)
    assert bytes_of(tmp_path / "a.store") == bytes_of(tmp_path / "b.store")


# ---- The encoder


def test_an_encoder_pools_or_shows_tokens(model):
    encoder = wb.Encoder(model, max_tokens=32, layers=2, device="cpu", precision="f32")
    texts = ["The bank of the river.", "a bank"]
    pooled = encoder(texts)
    assert pooled.shape == (2, encoder.dimension) and pooled.dtype == np.float32
    first, second = encoder(texts, tokens=True)
    assert np.allclose(first.vectors.mean(axis=0), pooled[0], atol=1e-6)
    assert texts[0][slice(*first.offsets[2])] == "bank"
    assert len(second) == 4 and not second.truncated
    assert (encoder(texts[1]) == pooled[1]).all()
    assert encoder.layers == (2, 2) and encoder.precision == "f32" and encoder.device.startswith("cpu")


def test_an_encoder_of_several_layers_has_an_axis_of_them(model):
    texts = ["The bank of the river.", "a bank"]
    several = wb.Encoder(model, max_tokens=32, layer=[3, (0, 1)], device="cpu")
    assert several.layers == [(3, 3), (0, 1)]
    pooled, tokens = several(texts), several(texts, tokens=True)
    for i, layer in enumerate([3, (0, 1)]):
        alone = wb.Encoder(model, max_tokens=32, layer=layer, device="cpu")
        assert (pooled[:, i] == alone(texts)).all()
        assert (tokens[0].vectors[:, i] == alone(texts, tokens=True)[0].vectors).all()


def test_vectors_of_the_encoder_are_those_of_the_store(extracted, model):
    first = extracted.occurrences("bank")[0]
    encoder = wb.Encoder(model, max_tokens=32)
    text = encoder(first["text"], tokens=True)
    place = text.offsets.tolist().index([first["start"], first["end"]])
    assert np.allclose(text.vectors[place], extracted["bank"][0], rtol=0, atol=2e-6)  # other batches, other rounding


@pytest.mark.parametrize(
    ("texts", "exception", "message"),
    [
        (["a", b"ab"], TypeError, r"texts\[1\] is of type bytes; expected a string"),
        ([None], TypeError, r"texts\[0\] is of type NoneType; expected a string"),
        (["a", "b\ud800"], ValueError, r"texts\[1\] has half of a surrogate pair, '\\ud800', at character 1; expected"),
        ("\udfff", ValueError, "the text has half of a surrogate pair"),
    ],
)
def test_what_is_no_text_is_named(model, texts, exception, message):
    encoder = wb.Encoder(model, max_tokens=32, device="cpu")
    for tokens in (False, True):
        with pytest.raises(exception, match=message):
            encoder(texts, tokens=tokens)


def test_an_encoder_may_be_used_from_several_threads(model):
    encoder = wb.Encoder(model, max_tokens=32, threads=1)
    expected = encoder(["the bank"] * 50)
    found = []
    threads = [threading.Thread(target=lambda: found.append(encoder(["the bank"] * 50))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((each == expected).all() for each in found) and len(found) == 4


def test_a_missing_model_is_an_error(tmp_path):
    with pytest.raises((ValueError, OSError), match="nowhere"):
        wb.Encoder(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="'auto', 'f32', 'bf16' or 'f16'"):
        wb.Encoder(tmp_path, precision="f64")


# ---- Python meanwhile


def test_other_threads_run_while_a_study_does(store):
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    counting = threading.Thread(target=count)
    counting.start()
    start = time.perf_counter()
    store.calibrate(count=100, permutations=999, complete=True, threads=1, progress=False)
    spent = time.perf_counter() - start
    done.set()
    counting.join()
    assert ticks > 100 * spent  # a thousand a second, were it not for other programs


def test_one_store_may_be_used_from_several_threads(store, other):
    expected = store.compare(other, permutations=200).to_dict()["results"]
    found = []

    def compare(a: wb.Store, b: wb.Store) -> None:
        found.append(a.compare(b, permutations=200).to_dict()["results"])
        store.occurrences("bank")

    threads = [threading.Thread(target=compare, args=pair) for pair in ((store, other), (other, store)) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found.count(expected) == 2 and len(found) == 4


def test_ctrl_c_ends_a_study(store):
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        store.calibrate(count=1_000_000, permutations=1_000_000, complete=True)
    assert time.perf_counter() - start < 20
