"""Times the encoder on the CPU and the alternatives in one run; prints one table, and writes bench/results/encoder.{md,json}.

The sentences are those of the King James Bible (Debian package bible-kjv), cut at . : ! and ?, which makes them as long as the
Brown corpus's: 24 tokens in the mean. Rates are real tokens per second, padding not counted. Rounds alternate between all that
are compared, and the fastest round of each counts, the one least disturbed. The alternatives get their best case: sentences
sorted by length, and the batch size and setting that is fastest here; see cpu_peers.py.

The model is MiniLM; cpu_architectures.py does the same for the other architectures.
"""

import contextlib
import importlib.metadata
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from tokenizers import Tokenizer

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import common  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
LAYERS, MIDDLE, LONGEST = 6, 3, 128
JOB_GOAL = 1.6  # times OpenVINO, at the middle layer
TYPES = ("f32", "bf16")
PEERS = ("transformers", "onnxruntime", "openvino")
LIBRARIES = ("torch", "transformers", "onnxruntime", "openvino")


class CannotRun(SystemExit):
    pass


class Contender:
    """A process that has loaded and warmed up, and runs all sentences on request."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        ready = next((line for line in self.process.stdout if line.startswith("ready: ")), None)
        if ready is None:
            raise CannotRun(f"{' '.join(map(str, command))} ended with status {self.process.wait()}")
        self.setting = ready.removeprefix("ready: ").strip()

    def seconds(self):
        self.process.stdin.write("again\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def running_seconds(self):
        """Those that its threads were given a core for, whatever else this machine does."""

        def nanoseconds():
            return sum(int(path.read_text().split()[0]) for path in pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/schedstat"))

        before = nanoseconds()
        self.seconds()
        return (nanoseconds() - before) / 1e9

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def peer(name, options, tokens, layers, dtype):
    return Contender([sys.executable, "-W", "ignore", HERE / "cpu_peers.py", name, options.model, tokens, str(layers), dtype, str(options.threads)])


def ours(options, tokens, layers, dtype, keep):
    """One token of each sentence is kept, or all."""
    instructions = [options.instruction_set] if getattr(options, "instruction_set", None) else []
    return Contender([options.program, options.model, tokens, str(layers), dtype, str(options.threads), keep, *instructions])


def sentences(options):
    tokenizer = Tokenizer.from_file(f"{options.model}/tokenizer.json")
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    verses = subprocess.run(["bible", "-f", "gen1:1-rev22:21"], capture_output=True, text=True, check=True).stdout.splitlines()
    texts = [text for verse in verses for text in re.split(r"(?<=[.:!?]) +", verse.split(" ", 1)[1]) if text]
    chosen = random.Random(0).sample(texts, options.sentences)
    return [encoding.ids for encoding in tokenizer.encode_batch(chosen)]


def contenders(options, tokens):
    """By name, what is timed. An alternative that does not run here is left out, such as torch's bf16 where a virtual machine has AMX in
    name only."""
    found = {}
    for dtype in TYPES:
        for name, job, layers in [(name, "", LAYERS) for name in PEERS] + [("openvino", " job", MIDDLE)]:
            if (name, dtype) == ("onnxruntime", "bf16"):  # its kernels for the CPU are float32's
                continue
            try:
                found[f"{name} {dtype}{job}"] = peer(name, options, tokens, layers, dtype)
            except CannotRun as error:
                common.progress(f"{name} {dtype}{job} is left out: {error}")
        found[f"ours {dtype}"] = ours(options, tokens, LAYERS, dtype, "all")
        found[f"ours {dtype} job"] = ours(options, tokens, MIDDLE, dtype, "one")
    return found


def alternating(timed, rounds, seconds_of=Contender.seconds):
    """By name, the seconds of every round."""
    seconds = {name: [] for name in timed}
    for _ in range(rounds):
        for name, contender in timed.items():
            seconds[name].append(seconds_of(contender))
    return seconds


def measure(options):
    rows = sentences(options)
    count = sum(map(len, rows))
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        tokens = pathlib.Path(folder) / "tokens"
        common.write_tokens(rows, tokens)
        timed = contenders(options, tokens)
        for contender in timed.values():
            stack.callback(contender.close)
        seconds = alternating(timed, options.rounds)
    return {
        "tokens": count,
        "sentences": len(rows),
        "rates": {name: count / min(all_seconds) for name, all_seconds in seconds.items()},
        "settings": {name: contender.setting for name, contender in timed.items() if contender.setting},
        "machine": machine(options),
    }


def machine(options, libraries=LIBRARIES):
    return common.machine({name: importlib.metadata.version(name) for name in libraries}, threads=options.threads)


def judged(ours, theirs, goal):
    if theirs is None:
        return "-"
    ratio = ours / theirs
    return f"{ratio:.2f}x ({'pass' if ratio >= goal else 'MISS'}, goal {goal:g}x)"


def table(result):
    rates = result["rates"]
    head = ["", "transformers", "ONNX Runtime", "OpenVINO", "**wordbreadth**", "wordbreadth / OpenVINO"]
    lines = []

    def row(title, suffix, goal):
        values = [rates.get(f"{name} {suffix}") for name in (*PEERS, "ours")]
        shown = ["" if value is None else f"{value:,.0f}" for value in values]
        lines.append([title, *shown[:3], f"**{shown[3]}**", judged(values[3], values[2], goal)])

    for dtype in TYPES:
        row(f"all {LAYERS} layers, all tokens, {dtype}", dtype, 1)
    for dtype in TYPES:
        row(f"layer {MIDDLE}, one token of each sentence, {dtype}", f"{dtype} job", JOB_GOAL)
    return common.markdown_table(head, lines)


def markdown(result):
    host, rates = result["machine"], result["rates"]
    settings = "; ".join(f"{name}: {setting}" for name, setting in result["settings"].items())
    whole = ", ".join(f"{rates[f'ours {dtype} job'] / rates[f'openvino {dtype}']:.2f}x in {dtype}" for dtype in TYPES if f"openvino {dtype}" in rates)
    return f"""Tokens per second through all-MiniLM-L6-v2 on the CPU, {host['threads']} threads each (`make bench-encoder`):

{table(result)}

{host['cpu']}, {host['cores']} cores; {host['date']}; {common.versions_line(host)}.

- {result['tokens']:,} tokens in {result['sentences']:,} sentences of the King James Bible, {result['tokens'] / result['sentences']:.1f} tokens each in the mean.
  Padding is not counted. Every figure is the fastest of several rounds, which alternate.
- The alternatives get sentences sorted by length, and the fastest setting found here: {settings}.
- At layer {MIDDLE}, OpenVINO runs a model that was cut there, which a user would have to make; wordbreadth computes nothing that
  the kept tokens do not need. Against OpenVINO with the whole model, whose hidden states one would read: {whole}.
"""


def main():
    parser = common.arguments(__doc__, common.program("wordbreadth_encoder_bench"), "bench-encoder", 5)
    parser.add_argument("--model", default=common.MODEL)
    parser.add_argument("--threads", type=int, default=common.cores())
    parser.add_argument("--sentences", type=int, default=1600)
    options = parser.parse_args()
    result = measure(options)
    common.write_results(options.results, "encoder", markdown(result), result)


if __name__ == "__main__":
    main()
