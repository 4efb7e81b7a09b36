"""Two small stores, a small model, and the program, whose results those of the package have to equal."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import wordbreadth as wb

PROJECT = Path(__file__).resolve().parents[2]
SPREADS = {"bank": 0.8, "cell": 0.5, "plant": 0.4, "spring": 0.7, "thing": 1.6, "tree": 0.3}
OTHER_SPREADS = {"bank": 0.8, "cell": 1.8, "plant": 0.4, "spring": 0.5, "star": 0.6, "thing": 1.6}
ROWS, DOCUMENTS, DIMENSION = 60, 20, 8


def cloud(spread: float, random: np.random.Generator) -> np.ndarray:
    centre = random.normal(size=DIMENSION)
    return centre / np.linalg.norm(centre) + spread * random.normal(size=(ROWS, DIMENSION)) / np.sqrt(DIMENSION)


def contexts(word: str) -> list[dict]:
    return [
        {
            "document": f"document {row % DOCUMENTS}",
            "text": f"Left {row} of {word} right {7 * row % ROWS}.",
            "start": len(f"Left {row} of "),
            "end": len(f"Left {row} of {word}"),
        }
        for row in range(ROWS)
    ]


def make_store(path: Path, spreads: dict[str, float], seed: int) -> wb.Store:
    random = np.random.default_rng(seed)
    return wb.Store.create(
        path,
        {word: cloud(spread, random) for word, spread in spreads.items()},
        contexts={word: contexts(word) for word in spreads},
        frequencies={word: 1000 - 100 * place for place, word in enumerate(spreads)},
        settings={"model": "random", "layers": "4"},
    )


def flags(options: dict) -> list[str]:
    """Keyword arguments as the program's options."""
    given = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            given.append(option)
        elif isinstance(value, (tuple, list)):
            given += [option, ",".join(map(str, value))]
        elif value is not False and value is not None:
            given += [option, str(value)]
    return given


def without_times(result):
    """Without what differs from run to run."""
    if isinstance(result, dict):
        return {key: without_times(value) for key, value in result.items() if key != "seconds"}
    return [without_times(value) for value in result] if isinstance(result, list) else result


def make_wordnet(folder: Path) -> str:
    """The little WordNet of the project's tests, with words of the store."""
    shutil.copytree(PROJECT / "tests" / "data" / "wordnet", folder)
    senses = {"bank": 10, "plant": 4, "thing": 12, "tree": 3}
    nouns = {line.split()[0]: line for line in (folder / "index.noun").read_text().splitlines() if line[0] != " "}
    for word, number in senses.items():
        nouns[word] = f"{word} n {number} 0 {number} 0 " + " ".join(f"{9000 + i:08d}" for i in range(number)) + "  "
    (folder / "index.noun").write_text("".join(f"{nouns[word]}\n" for word in sorted(nouns)))
    return str(folder)


def bytes_of(folder: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }


def files_of(folder: Path) -> dict[str, str]:
    """Without how and when they were made: what a study says of that differs."""
    files = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        text = path.read_text()
        if path.suffix == ".json":
            read = json.loads(text)
            for key in ("provenance", "settings", "command"):
                read.pop(key, None)
            text = json.dumps(without_times(read))
        files[str(path.relative_to(folder))] = text
    timed = {"runtime.json", "runtime.tsv", "runtime.svg", "report.html", "settings.json"}
    return {name: text for name, text in files.items() if Path(name).name not in timed}


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> wb.Store:
    return make_store(tmp_path_factory.mktemp("stores") / "news.store", SPREADS, 1)


@pytest.fixture(scope="session")
def other(tmp_path_factory: pytest.TempPathFactory) -> wb.Store:
    return make_store(tmp_path_factory.mktemp("stores") / "law.store", OTHER_SPREADS, 2)


@pytest.fixture(scope="session")
def printed():
    """Runs a command of the program with --format json, and returns what it prints, without its provenance."""
    path = os.environ.get("WORDBREADTH_PROGRAM", str(PROJECT / "build" / "wordbreadth"))
    if not os.access(path, os.X_OK):
        pytest.skip(f"{path} is not built")

    def run(*arguments: object, check: bool = True) -> dict:
        done = subprocess.run(
            [path, *map(str, arguments), "--format", "json"], capture_output=True, text=True, check=False
        )
        assert not check or done.returncode == 0, done.stderr
        printed = json.loads(done.stdout)
        printed.pop("provenance", None)
        return printed

    def run_only(*arguments: object) -> None:
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    run.path = path
    run.run = run_only
    return run


WORDS = "the bank river money of a is on deep water flows old new by in".split()


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A small BERT of random weights, with a vocabulary of a few words."""
    folder = tmp_path_factory.mktemp("models") / "bert"
    folder.mkdir()
    for name in ("config.json", "model.safetensors"):
        shutil.copy(PROJECT / "tests" / "data" / "models" / "bert" / name, folder)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "##s", ".", ",", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true, "tokenizer_class": "BertTokenizer"}')
    return str(folder)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Sentences of 4 to 12 words, one per line."""
    random = np.random.default_rng(1)
    lines = (" ".join(random.choice(WORDS, random.integers(4, 13))) + " ." for _ in range(600))
    path = tmp_path_factory.mktemp("corpora") / "corpus.txt"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture(scope="session")
def examples(
    store: wb.Store, other: wb.Store, model: str, corpus: str, tmp_path_factory: pytest.TempPathFactory
) -> dict:
    """What the examples of the docstrings use."""
    folder = str(tmp_path_factory.mktemp("examples"))
    return {"wb": wb, "store": store, "other": other, "model": model, "corpus": corpus, "folder": folder}
