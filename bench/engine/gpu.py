"""Times wordbreadth on a GPU beside PyTorch in one run and prints the tables; also writes bench/results/gpu.{md,json}.

Rounds alternate between wordbreadth and PyTorch. The first covers everything, the others the first shape again, and
every figure is that of the fastest round. The clouds are the same for all; see clouds.h. Without PyTorch its columns
are left out.
"""
import pathlib
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import common  # noqa: E402
from common import markdown_table, number  # noqa: E402

try:
    import torch

    import gpu_peers

    WITHOUT_TORCH = None if torch.cuda.is_available() else "torch sees no GPU"
except ImportError as error:
    torch = None
    WITHOUT_TORCH = str(error)

PERMUTATIONS = 20000
PAIRS = 300
ROUNDS = 2

# Goals of the first shape, on an H200.
ALL_PAIRS_MS = 1.5
ALL_PAIRS_WANTED_MS = 0.7
SINGLE_MS = 0.2
TIMES_ALGORITHM2 = 800


# ---- measuring


def run_ours(options, folder, more):
    """The program's JSON. It may need torch's cuBLAS, where there is no other."""
    sizes = ["--pairs", options.pairs, "--permutations", options.permutations]
    command = [options.program, *sizes, "--write", folder, *more]
    return common.json_of(command, common.cublas_environment())


def run_torch(options, shape, folder):
    ours = shape.pop("first")  # results to agree with; too many to keep
    if WITHOUT_TORCH:
        return {}
    problems = gpu_peers.read_problems(pathlib.Path(folder), shape["n"], shape["m"], shape["d"])
    theirs = gpu_peers.measure(problems, options.permutations, options.pairs)
    common.require_agreement(name(shape), ours, theirs["agree"], options.permutations, 0.005)
    return theirs


def measure(options):
    """(rows, one per shape; lines in B and pairs; the int8 peak or None; every round's own figures)"""
    with tempfile.TemporaryDirectory() as folder:
        whole = run_ours(options, folder, [])
        rows = [row_of(shape, run_torch(options, shape, folder), options) for shape in whole["shapes"]]
        rounds = [{"ours": whole, "rows": rows}]
        for _ in range(1, options.rounds):
            again = run_ours(options, folder, ["--quick", "--cpu-pairs", 0])
            shape = again["shapes"][0]
            row = row_of(shape, run_torch(options, shape, folder), options)
            rounds.append({"ours": again, "rows": [row]})
            rows = [fastest(rows[0], row), *rows[1:]]
    peak = None if WITHOUT_TORCH else gpu_peers.int8_peak()
    return rows, whole["linearity"], peak, rounds


def fastest(a, b):
    """Times of both rounds, each the smaller; everything else as in the first."""
    times = {key: min(filter(None, (a[key], b[key])), default=None) for key in TIMES}
    return {**a, **times}


# Milliseconds, of all pairs or of one alone; None where there is none.
TIMES = ["algorithm2", "gram", "paper", "ours", "robust", "cpu", "user_call", "algorithm2_single", "paper_single",
         "ours_single", "robust_single"]


def row_of(shape, theirs, options):
    def scaled(entry):
        """To all pairs, from those that were timed."""
        return entry["time"]["median_ms"] * options.pairs / entry["pairs"] if entry and "time" in entry else None

    cuda, cpu, paper = shape["cuda"], shape.get("cpu", {}), shape.get("paper", {})
    return {
        "n": shape["n"], "m": shape["m"], "d": shape["d"],
        "algorithm2": theirs.get("algorithm2"),
        "gram": theirs.get("gram"),
        "paper": scaled(paper),
        "ours": cuda["plain"]["time"]["median_ms"],
        "robust": cuda["robust"]["time"]["median_ms"],
        "cpu": scaled(cpu.get("plain")),
        "user_call": shape["user_call"]["median_ms"],
        "algorithm2_single": theirs.get("algorithm2_single"),
        "paper_single": paper["single"]["median_ms"] if "single" in paper else None,
        "ours_single": cuda["plain"]["single"]["median_ms"],
        "robust_single": cuda["robust"]["single"]["median_ms"],
        "device": cuda["device"],
        "cpu_device": cpu.get("device"),
        "cpu_threads": cpu.get("threads"),
        "cpu_pairs": cpu.get("plain", {}).get("pairs"),
        "paper_pairs": paper.get("pairs"),
        "paper_missing": paper.get("missing"),
        "equal_to_cpu": shape.get("equal_to_cpu"),
        "paper_near_ours": paper.get("near_ours"),
        "screen_ms": shape.get("screen_ms"),
        "screen_columns": shape.get("screen_columns"),
    }


def machine(options):
    versions = {"torch": torch.__version__} if torch else {}
    return common.machine(versions, **common.gpu_machine(), **({"commit": options.commit} if options.commit else {}))


# ---- printing


def name(shape):
    return f"{shape['n']}, {shape['m']}, {shape['d']}"


def main_table(rows):
    head = ["n, m, d", "torch, Algorithm 2", "torch, fp16 Gram", "cuda-paper", "**cuda**", "cuda, robust", "cpu",
            "Algorithm 2 / cuda", "cpu / cuda", "test_pairs()"]
    return markdown_table(head, [
        [name(r), number(r["algorithm2"]), number(r["gram"]), number(r["paper"]), f"**{number(r['ours'])}**",
         number(r["robust"]), number(r["cpu"]), times(r["algorithm2"], r["ours"]), times(r["cpu"], r["ours"]),
         number(r["user_call"])] for r in rows])


def single_table(rows):
    head = ["n, m, d", "torch, Algorithm 2", "cuda-paper", "**cuda**", "cuda, robust", "Algorithm 2 / cuda"]
    return markdown_table(head, [
        [name(r), number(r["algorithm2_single"]), number(r["paper_single"]), f"**{number(r['ours_single'])}**",
         number(r["robust_single"]), times(r["algorithm2_single"], r["ours_single"])] for r in rows])


def times(theirs, ours):
    return f"{number(theirs / ours)}x" if theirs else "-"


def line_table(entries, key, base):
    """How much more than in proportion to the case of the main table."""
    reference = next(entry for entry in entries if entry[key] == base)
    rows = []
    for entry in entries:
        ms = entry["time"]["median_ms"]
        proportional = reference["time"]["median_ms"] * entry[key] / base
        rows.append([f"{entry[key]:,}", number(ms), f"{ms / proportional:.2f}"])
    return markdown_table([key, "ms", "to proportional"], rows)


def goals(rows, options):
    """(goal, what was reached, pass or MISS)"""
    r = rows[0]
    comparable = (options.pairs, options.permutations) == (PAIRS, PERMUTATIONS)

    def judged(goal, reached, good):
        return [goal, reached, ("pass" if good else "MISS") if comparable else "not judged: another size"]

    all_pairs, single = f"{number(r['ours'])} ms", f"{number(r['ours_single'])} ms"
    lines = [
        judged(f"{options.pairs} pairs in at most {ALL_PAIRS_MS} ms", all_pairs, r["ours"] <= ALL_PAIRS_MS),
        judged(f"... wanted: {ALL_PAIRS_WANTED_MS} ms", all_pairs, r["ours"] <= ALL_PAIRS_WANTED_MS),
        judged(f"one pair alone in at most {SINGLE_MS} ms", single, r["ours_single"] <= SINGLE_MS),
    ]
    if r["algorithm2"]:
        ratio = r["algorithm2"] / r["ours"]
        lines.append(judged(f"at least {TIMES_ALGORITHM2} times as fast as torch's Algorithm 2", f"{number(ratio)}x",
                            ratio >= TIMES_ALGORITHM2))
    compared, differing = compared_with_cpu(rows)
    if compared:
        lines.append(["counts equal the CPU's, all shapes, plain and robust",
                      f"{differing} of {compared:,} pairs differ", "MISS" if differing else "pass"])
    return lines


def compared_with_cpu(rows):
    entries = [entry for r in rows if r["equal_to_cpu"] for entry in r["equal_to_cpu"].values()]
    return sum(entry["pairs"] for entry in entries), sum(entry["differing"] for entry in entries)


def screen_share(row, peak, options):
    """Of the int8 peak, what the first screen reaches; None where either is not known."""
    if not peak or not row["screen_ms"]:
        return None
    operations = 2 * options.permutations * (row["n"] + row["m"]) * row["screen_columns"] * options.pairs
    return operations / row["screen_ms"] / 1e9 / peak


def peak_line(row, peak, options):
    if not peak:
        return "The int8 peak was not measured."
    share = screen_share(row, peak, options)
    reached = "what the first screen reaches of it was not measured"
    if share:
        screen = f"the first screen ({row['screen_columns']} columns, {number(row['screen_ms'])} ms)"
        reached = f"{screen} reaches {share:.1%} of it"
    return f"int8 peak, by torch's product of two 8192 x 8192 matrices: {number(peak)} TOP/s; {reached}."


def paper_line(rows):
    entries = [r["paper_near_ours"] for r in rows if r["paper_near_ours"]]
    if not entries:
        return f"cuda-paper was not timed: {rows[0]['paper_missing'] or 'left out'}."
    pairs, differing = (sum(entry[key] for entry in entries) for key in ("pairs", "differing"))
    largest = max(entry["largest_p_difference"] for entry in entries)
    return (f"cuda-paper, which is approximate: {differing:,} of {pairs:,} counts differ from the exact ones, "
            f"p by at most {largest:.2g}.")


def scaling_notes(rows, options):
    notes = []
    for who, key in (("cpu", "cpu_pairs"), ("cuda-paper", "paper_pairs")):
        some = {r[key] for r in rows if r[key] and r[key] != options.pairs}
        notes += [f"- {who}: {count} pairs are timed and scaled to {options.pairs}." for count in sorted(some)]
    return "\n".join(notes) + "\n" if notes else ""


def machine_line(row, host):
    gpu_part = f"{host['gpu']}, {host['memory']}, driver {host['driver']}, CUDA {host['cuda']}, {row['device']}"
    cpu_part = f"{host['cpu']}, {host['cores']} cores, {row['cpu_device']}, {row['cpu_threads']} threads"
    return f"{gpu_part};\n{cpu_part}; {host['date']}, commit {host['commit']}; {common.versions_line(host)}."


def markdown(rows, lines, peak, host, options):
    pairs, permutations = options.pairs, f"{options.permutations:,}"
    torch_note = f"- torch was left out: {WITHOUT_TORCH}.\n" if WITHOUT_TORCH else ""
    return f"""Milliseconds for {pairs} pairs, {permutations} permutations each, with the clouds on the device:

{main_table(rows)}

One pair alone:

{single_table(rows)}

Goals of the first shape:

{markdown_table(["goal", "reached", "verdict"], goals(rows, options))}

Linear in the permutations ({pairs} pairs) and in the pairs ({permutations} permutations), first shape:

{line_table(lines["permutations"], "permutations", options.permutations)}

{line_table(lines["pairs"], "pairs", options.pairs)}

{peak_line(rows[0], peak, options)}
{paper_line(rows)}

{machine_line(rows[0], host)}

- cuda, robust, cuda-paper: a whole call of the engine by the host's clock, the median of many, on {2 * pairs} different
  clouds that are on the device already. All else is counted: alignment, inner products, splits, screens, recounts.
- cpu: the same with the CPU engine.
- test_pairs(): on the device cuda as users call it, the clouds' way to it and the observed statistics included.
- torch, Algorithm 2: the paper's, half precision, blocks of 4,096, masks drawn for every pair; the clouds are aligned
  and on the device before the clock starts.
- torch, fp16 Gram: one half-precision product with the Gram matrix a pair; masks, Gram matrices and the statistic
  itself are for free.
- Every figure of the first shape is that of the fastest of {options.rounds} rounds, which alternate between wordbreadth
  and torch.
{scaling_notes(rows, options)}{torch_note}"""


def main():
    arguments = common.arguments(__doc__, common.gpu_program("wordbreadth_gpu_bench"), "gpu-bench", ROUNDS)
    arguments.add_argument("--pairs", default=PAIRS, type=int)
    arguments.add_argument("--permutations", default=PERMUTATIONS, type=int)
    arguments.add_argument("--commit", help="the commit that was built, where git does not know")
    options = arguments.parse_args()
    if WITHOUT_TORCH:
        common.progress(f"torch is left out: {WITHOUT_TORCH}")

    rows, lines, peak, rounds = measure(options)
    host = machine(options)
    text = markdown(rows, lines, peak, host, options)
    results = {"machine": host, "permutations": options.permutations, "pairs": options.pairs, "int8_peak_tops": peak,
               "screen_share_of_int8_peak": screen_share(rows[0], peak, options), "cases": rows, "linearity": lines,
               "rounds": rounds}
    common.write_results(options.results, "gpu", text, results)
    if compared_with_cpu(rows)[1]:
        raise SystemExit("counts differ between cuda and cpu")


if __name__ == "__main__":
    main()
