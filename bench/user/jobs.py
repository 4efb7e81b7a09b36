"""The jobs that table.py times: what a user types, and what would do the same in Python; and what they read."""

import csv
import dataclasses
import json
import pathlib
import sys

import inputs

HERE = pathlib.Path(__file__).resolve().parent
PERMUTATIONS = 20_000  # the program's default
# Two thirds up, which was the program's default before version 0.5.0: asked for, so that figures of all versions compare.
LARGE_LAYER, SMALL_LAYER = 16, 4


@dataclasses.dataclass
class Sizes:
    pairs: int = 300
    words: int = 1_000
    many: int = 10_000
    corpus: int = 1_000_000  # words, as many as Brown has
    part: int = 25_000  # words, for the CPU
    torch_pairs_cpu: int = 5  # what torch runs of jobs that take it minutes
    torch_pairs_all: int = 200


SMALL = Sizes(pairs=20, words=40, many=60, corpus=30_000, part=10_000, torch_pairs_cpu=2, torch_pairs_all=20)


@dataclasses.dataclass
class Job:
    name: str
    title: str
    device: str
    command: list  # the program's arguments
    needs: list  # inputs
    cores: int = None  # all, where there is no number
    peer: list = None  # the arguments of python
    peer_title: str = ""
    read: object = lambda output: {}  # what the program's output says
    tests: int = None
    tested_by_peer: int = None  # where it is a part of them
    clouds: int = None  # bytes of those used
    makes: list = dataclasses.field(default_factory=list)  # to be removed after each run
    threads: int = None
    family: str = ""  # another name to choose it by

    def place_in(self, names):
        """Where it is first named; None where it is not."""
        return next((place for place, name in enumerate(names) if name in (self.name, self.family)), None)


class Inputs:
    """Files in a folder; `commands` says how to make those that are not given."""

    def __init__(self, folder, options, sizes):
        self.folder, self.sizes = folder, sizes
        self.large = options.model or folder / "large"
        self.small = options.small_model or folder / "small"
        tokenizer = options.tokenizer
        self.commands = {
            "pairs": ["clouds", self.path("pairs.safetensors"), 2 * sizes.pairs, 128, 1024],
            "words": ["clouds", self.path("words.safetensors"), sizes.words, 100, 384],
            "many": ["clouds", self.path("many.safetensors"), sizes.many, 100, 384],
            "corpus": ["corpus", self.path("corpus.txt"), tokenizer, sizes.corpus],
            "part": ["corpus", self.path("part.txt"), tokenizer, sizes.part],
            "large": None if options.model else ["model", self.large, tokenizer, "BERT-large"],
            "small": None if options.small_model else ["model", self.small, tokenizer, "MiniLM-L6"],
        }
        listed = "".join(f"{inputs.name(2 * k)}\t{inputs.name(2 * k + 1)}\n" for k in range(sizes.pairs))
        self.path("pairs.tsv").write_text(listed)

    def path(self, name):
        return self.folder / name


def all_jobs(made, threads):
    sizes = made.sizes
    return [
        Job("devices", "`devices`: the driver's start", "cuda", ["devices"], [],
            peer=["-c", "import torch; torch.zeros(1, device='cuda')"], peer_title="torch"),
        listed(made, "pairs-cuda", "cuda"),
        listed(made, "pairs-robust-cuda", "cuda", "robust"),
        listed(made, "pairs-cpu", "cpu", cores=2),
        every(made, "all-cuda", "words", sizes.words),
        every(made, "all-robust-cuda", "words", sizes.words, "robust"),
        every(made, "all-10000-cuda", "many", sizes.many),
        one_test(made, "test-cuda", "cuda"),
        one_test(made, "test-cpu", "cpu"),
        extraction(made, "extract-cuda", "cuda", "BERT-large", made.large, LARGE_LAYER, "corpus", "bf16"),
        extraction(made, "extract-cpu", "cpu", "MiniLM-L6", made.small, SMALL_LAYER, "part", "f32", cores=2),
        *(planning(made, count) for count in threads),
    ]


# ---- pairs


def listed(made, name, device, statistic="plain", cores=None):
    sizes = made.sizes
    file, pairs = made.path("pairs.safetensors"), made.path("pairs.tsv")
    job = Job(name, f"`pairs`, {sizes.pairs} of 128 + 128 x 1024, {device}{about(cores)}", device,
              ["pairs", file, "--pairs", pairs, "--device", device, "--format", "tsv"], ["pairs"], cores=cores,
              tests=sizes.pairs, clouds=sizes.pairs * 2 * 128 * 1024 * 4, family="pairs")
    job.command += ["--threads", cores] if cores else []
    return tested(job, statistic, [file, device], sizes.torch_pairs_cpu if device == "cpu" else sizes.pairs, [pairs])


def every(made, name, data, words, statistic="plain"):
    file = made.path(f"{data}.safetensors")
    job = Job(name, f"`pairs --all`, {words:,} words of 100 x 384: {words * (words - 1) // 2:,} tests, cuda", "cuda",
              ["pairs", file, "--all", "--device", "cuda", "--format", "tsv"], [data],
              tests=words * (words - 1) // 2, clouds=words * 100 * 384 * 4, family="all")
    return tested(job, statistic, [file, "cuda"], made.sizes.torch_pairs_all)


def tested(job, statistic, peer, count, listing=()):
    """torch has the paper's statistic alone, the plain one."""
    job.command += ["--statistic", statistic]
    job.read = lambda output: first_row(output, job.tests)
    if statistic != "plain":
        job.title += f", {statistic}"
    else:
        job.peer, job.peer_title = [HERE / "torch_pairs.py", *peer, PERMUTATIONS, count, *listing], "torch"
        job.tested_by_peer = count
    return job


def about(cores):
    return f", {cores} cores" if cores else ""


def first_row(output, tests):
    """`seconds` is the mean of all tests. The results of the first few, to be compared."""
    with open(output, encoding="utf-8", newline="") as file:
        rows = [row for row, _ in zip(csv.DictReader(file, delimiter="\t"), range(5))]
    results = [{"x": row["x"], "y": row["y"], "T": float(row["T"]), "p": float(row["p"])} for row in rows]
    return {"call_seconds": float(rows[0]["seconds"]) * tests, "results": results}


# ---- one test from a store


def one_test(made, name, device):
    """of_words() says of which words, once there is a store."""
    job = Job(name, f"one `test` of 100 + 100 x 384 from a store, {device}", device,
              ["test", None, None, "--device", device, "--format", "tsv"], ["store"], tests=1, family="test")
    return tested(job, "plain", [made.path("two.safetensors"), device], 1)


def of_words(job, store, words):
    job.command[1:3] = [f"{store}:{word}" for word in words]


# ---- extraction


def extraction(made, name, device, size, model, layer, text, dtype, cores=None):
    sizes = made.sizes
    store, file = made.path("extracted"), made.path("extracted.safetensors")
    job = Job(name, f"`extract`, {size}, layer {layer}, {dtype}, {getattr(sizes, text):,} words, {device}{about(cores)}", device,
              [*extract(model, made.path(f"{text}.txt"), store), "--device", device, "--dtype", dtype, "--layer", layer],
              [text, "large" if model == made.large else "small"], cores=cores, makes=[store, file], family="extract")
    job.command += ["--threads", cores] if cores else []
    job.read = lambda output: chosen(output, "tokens_now", "rows", "plan_seconds", "embed_seconds")
    job.peer = [HERE / "transformers_extract.py", model, made.path(f"{text}.txt"), layer, dtype, device, file]
    job.peer_title = "transformers"
    return job


def extract(model, text, store):
    return ["extract", "--model", model, "--corpus", text, "--corpus-format", "text", "--out", store, "--format", "json"]


def planning(made, threads):
    store = made.path("plan")
    job = Job(f"planning-{threads}", f"`extract --plan-only`, {made.sizes.corpus:,} words, {threads} core{'s' * (threads > 1)}", "cpu",
              [*extract(made.small, made.path("corpus.txt"), store), "--plan-only", "--device", "cpu", "--threads", threads],
              ["corpus", "small"], cores=threads, makes=[store], threads=threads, family="planning")
    job.read = lambda output: chosen(output, "occurrences", "plan_seconds")
    return job


def chosen(output, *keys):
    found = json.loads(pathlib.Path(output).read_text(encoding="utf-8"))
    return {key: found[key] for key in keys}


def python(arguments):
    return [sys.executable, "-W", "ignore", *arguments]
