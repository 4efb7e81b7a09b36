"""What the package and the program are asked alike: each option of each command at least once, with an effect."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from stores import bytes_of, files_of, flags

import wordbreadth as wb


@dataclass(frozen=True)
class Case:
    """Keyword arguments; the options that say the same, where they are not of the same names; and what else is needed
    for them to have an effect. {names} in braces are those of the world's."""

    given: dict
    options: str = ""
    base: dict = field(default_factory=dict)

    def __str__(self) -> str:
        return self.options or " ".join(flags(self.given))


@dataclass(frozen=True)
class Surface:
    """A command with its arguments, and the call that does the same. What it writes, if it does, is its `out`."""

    command: str
    arguments: str
    ours: Callable[..., Any]
    cases: list[Case]
    base: dict = field(default_factory=dict)
    read: Callable[[Path], Any] | None = None  # what both wrote
    part: Callable[[dict], Any] = lambda printed: printed


MANY = [  # triage and compare
    Case({"common_size": 20}),
    Case({"alpha": 0.4}),
    *(Case({"adjust": adjust}) for adjust in ("by", "holm", "none")),
    Case({"adjust": "maxT"}, base={"permutations": 300}),
    Case({"concordances": 1}),
    Case({"lines": 2}),
    Case({"align": "none"}),
    Case({"statistic": "robust"}),
    Case({"blocks": "none"}),
    Case({"permutations": 500}),
    Case({"seed": 7}),
    Case({"adaptive": 5}),
    Case({"device": "reference"}, base={"permutations": 99}),
    Case({"threads": 1}),
    Case({"instruction_set": "{instruction_set}"}),
]
TAIL = Case({"tail_estimate": True}, base={"blocks": "none", "permutations": 2000})
TESTS = [  # test and pairs
    Case({"align": "none"}),
    Case({"statistic": "plain"}),
    Case({"statistic": "robust"}),
    Case({"blocks": "none"}),
    Case({"alternative": "greater"}),
    Case({"alternative": "less"}),
    Case({"permutations": 777}),
    Case({"seed": 2**40 + 3}),
    Case({"adaptive": 5}),
    Case({"confidence": 0.8}),
    Case({"confidence": 0.75}, "--alpha 0.25"),
    Case({"equivalence": 1.5}),
    Case({"common_size": 20}),
    Case({"device": "reference"}, base={"permutations": 99}),
    Case({"threads": 1}),
    Case({"instruction_set": "{instruction_set}"}),
]
ADJUST = [Case({"adjust": adjust}) for adjust in ("by", "holm", "maxT", "none")]


def breadth(world: SimpleNamespace, blocks: str = "document", **options: Any) -> dict:
    found = wb.breadth(world.store.cloud("bank", blocks=blocks), **options)
    return {key: getattr(found, key) for key in BREADTH}


def in_python(printed: dict) -> dict:
    """The program's verdict names its options, the package's its parameters."""
    text = json.dumps(printed)
    return json.loads(re.sub(r"--align (\w+) --statistic (\w+)", r"align='\1', statistic='\2'", text))


BREADTH = ("n", "d", "r", "kappa", "v", "breadth", "standard_error", "log_v_standard_error")

SURFACES = {
    "rank": Surface(
        "rank",
        "{store}",
        lambda world, **options: world.store.rank(**options),
        [
            Case({"by": "v"}),
            Case({"by": "frequency"}),
            Case({"blocks": "none"}),
            Case({"common_size": 20}),
            Case({"modes": True}),
            Case({"seed": 7}, base={"common_size": 20}),
            Case({"words": "{words}"}),
            Case({"stop_words": "{references}"}),
            Case({"min_frequency": 600}),
            Case({"max_frequency": 900}),
            Case({"threads": 1}),
        ],
    ),
    "rank of a word": Surface(
        "rank",
        "{store} bank",
        lambda world, **options: world.store.rank("bank", **options),
        [Case({"neighbours": 1})],
    ),
    "triage": Surface(
        "triage",
        "{store}",
        lambda world, match_senses=False, **options: world.store.triage(
            match_senses=world.lexicon if match_senses else False, **options
        ),
        [
            *MANY,
            Case({"candidates": "{words}"}),
            Case({"order": "given_frequency"}, "--given-frequency"),
            Case({"match_senses": True}, "--match-senses --wordnet {wordnet}", {"references": "{sensed}"}),
            Case({"references": "{words}"}),
        ],
        {"references": "{references}"},
    ),
    "compare": Surface(
        "compare",
        "{store} {other}",
        lambda world, **options: world.store.compare(world.other, **options),
        [
            *MANY,
            Case({"names": ("A", "B")}),
            Case({"center": "median"}),
            Case({"modes": True}),
            Case({"confidence": 0.9}),
        ],
    ),
    "concordance": Surface(
        "contexts",
        "{store} bank",
        lambda world, **options: world.store.concordance("bank", **options),
        [
            *(Case({"sort": sort}) for sort in ("left", "right", "influence", "spread")),
            Case({"count": 5}),
            Case({"seed": 2}, base={"count": 5}),
        ],
    ),
    "modes": Surface(
        "contexts",
        "{store} thing --modes",
        lambda world, **options: world.store.modes("thing", **options),
        [Case({"count": 2}), Case({"seed": 3})],
    ),
    "breadth": Surface(
        "breadth",
        "{store}:bank",
        breadth,
        [Case({"common_size": 20}), Case({"seed": 3}, base={"common_size": 20}), Case({"blocks": "none"})],
        part=lambda printed: {key: printed["results"][0][key] for key in BREADTH},
    ),
    "by size": Surface(
        "breadth",
        "{store}:bank --by-size",
        lambda world, **options: world.store.by_size("bank", **options),
        [Case({"blocks": "none"}), Case({"seed": 4})],
    ),
    "test": Surface(
        "test",
        "{store}:bank {store}:spring",
        lambda world, **options: world.store.test("bank", "spring", **options),
        TESTS,
    ),
    "test of unlike words": Surface(
        "test",
        "{store}:bank {store}:cell",
        lambda world, **options: world.store.test("bank", "cell", **options),
        [TAIL],
    ),
    "pairs": Surface(
        "pairs", "{store} --all", lambda world, **options: wb.pairs(world.store, **options), [*TESTS, TAIL, *ADJUST]
    ),
    "pairs by gap": Surface(
        "pairs",
        "{store} --gap 1,2",
        lambda world, **options: world.store.gap_pairs([2, 1], **options),
        [*TESTS, TAIL, *ADJUST, Case({"count": 2}), Case({"rank_by": "frequency"}), Case({"cross_fit": True})],
        {"permutations": 300},
    ),
    "calibrate": Surface(
        "calibrate",
        "{store}",
        lambda world, **options: world.store.calibrate(**options),
        [
            Case({"alpha": (0.05, 0.2)}),
            Case({"count": 30}),
            Case({"permutations": 199}),
            Case({"complete": True}),
            Case({"common_size": 40}),
            Case({"blocks": "none"}),
            Case({"power": True}),
            Case({"seed": 9}),
            Case({"device": "reference"}),
            Case({"threads": 1}),
        ],
        {"count": 20, "permutations": 99},
        part=in_python,
    ),
    "compare_layers": Surface(
        "calibrate",
        "{layers} --wordnet {wordnet}",
        lambda world, **options: wb.Store(world.places["layers"], layer=2).compare_layers(
            wordnet=world.lexicon, **options
        ),
        [
            Case({"alpha": 0.4}),
            Case({"count": 30}),
            Case({"permutations": 99}),
            Case({"blocks": "none"}),
            Case({"seed": 9}),
            Case({"device": "reference"}),
            Case({"threads": 1}),
        ],
        {"count": 20},
    ),
    "export": Surface(
        "export",
        "{store}",
        lambda world, out, **options: world.store.export(out, **options),
        [Case({"words": ["tree", "bank"]}), Case({"words": "{words}"}, "--words-file {words}")],
        read=lambda path: path.read_bytes(),
    ),
    "experiment": Surface(
        "experiment",
        "{store} {other} --wordnet {wordnet}",
        lambda world, out, **options: world.store.experiment(world.other, wordnet=world.lexicon, **options).write(out),
        [
            Case({"paper": True}),
            Case({"words": "{words}"}),
            Case({"pair": ("bank", "tree")}),
            Case({"alternative": "greater"}),
            Case({"halves": "own"}),
            Case({"gaps": [1]}),
            Case({"count": 2}),
            Case({"alpha": 0.3}),
            Case({"permutations": 99}),
            Case({"additional_gaps": [2]}),
            Case({"additional_count": 1}),
            Case({"additional_alpha": 0.4}),
            Case({"additional_permutations": 49}),
            Case({"additional_rank_by": "frequency"}),
            Case({"common_size": 30}),
            Case({"complete": True}),
            Case({"blocks": "none"}),
            Case({"seed": 5}),
            Case({"device": "reference"}),
            Case({"threads": 1}),
        ],
        {"gaps": [1, 2], "additional_gaps": [3], "permutations": 199, "additional_permutations": 99},
        files_of,
    ),
    "extract": Surface(
        "extract",
        "--model {model}",
        lambda world, out, **options: wb.extract(world.model, out=out, **options),
        [
            Case({"corpus_format": "lines"}),
            Case({"encoding": "latin1"}, base={"corpus": "{latin1}", "invalid": "replace"}),
            Case({"invalid": "skip"}, base={"corpus": "{latin1}", "invalid": "replace"}),
            Case({"lemma": True}, base={"corpus": "{annotated}"}),
            Case({"pos": "NOUN"}, base={"corpus": "{annotated}"}),
            Case({"unit": "text"}, base={"corpus": "{labelled}"}),
            Case({"case": "keep"}),
            Case({"words": "{words}"}),
            Case({"min_count": 300}),
            Case({"per_word": 7}),
            Case({"per_document": 3}, base={"corpus": "{labelled}"}),
            Case({"sample": "documents"}, base={"corpus": "{labelled}", "per_word": 9}),
            Case({"deduplicate": "none"}, base={"corpus": "{repeated}"}),
            Case({"seed": 3}),
            Case({"layers": 2}, "--layer 2"),
            Case({"layers": (1, 2)}, "--layers 1-2"),
            Case({"subwords": "mean"}),
            Case({"max_tokens": 8}),
            Case({"precision": "bf16"}),
            Case({"device": "cpu"}),
            Case({"threads": 1}),
            Case({"shard_tokens": 1000}),
            Case({"plan_only": True}),
        ],
        {"corpus": "{corpus}", "min_count": 20, "max_tokens": 32},
        bytes_of,
    ),
}
