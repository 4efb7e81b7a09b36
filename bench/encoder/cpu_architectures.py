"""Times a model of every architecture on the CPU beside transformers, in one run; prints the table, and writes
bench/results/encoder_architectures.{md,json}, or encoder_architectures_avx2 with --instruction-set avx2.

The models have the sizes of published ones, but for the number of layers and of words, and random weights; nothing is downloaded.
The sentences are cpu.py's, the same ids for every model. Everything is in float32, all layers, all tokens.

On a machine with other work, --busy compares one thread each by the time that it was given a core.
"""

import argparse
import contextlib
import os
import pathlib
import sys
import tempfile

import cpu
import gpu_peers
import torch
import transformers

common = cpu.common

VOCABULARY = 30522  # that of the sentences' ids
ENCODER = {"hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072, "max_position_embeddings": 514}
DEBERTA = {
    "relative_attention": True, "position_buckets": 256, "norm_rel_ebd": "layer_norm", "share_att_key": True,
    "pos_att_type": ["p2c", "c2p"], "position_biased_input": False, "type_vocab_size": 0}
SMOL_LLAMA = {"hidden_size": 960, "num_attention_heads": 15, "num_key_value_heads": 5, "intermediate_size": 2560}
QWEN2 = {"hidden_size": 896, "num_attention_heads": 14, "num_key_value_heads": 2, "intermediate_size": 4864}
QWEN3 = {"hidden_size": 1024, "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 3072}

# What is published under the name, the family of transformers' classes, and the sizes.
MODELS = {
    "bert": ("BERT-base", "Bert", ENCODER),
    "roberta": ("RoBERTa-base", "Roberta", ENCODER),
    "xlm-roberta": ("XLM-R-base", "XLMRoberta", ENCODER),
    "camembert": ("CamemBERT-base", "Camembert", ENCODER),
    "distilbert": ("DistilBERT-base", "DistilBert", {"dim": 768, "n_heads": 12, "hidden_dim": 3072}),
    "electra": ("ELECTRA-base", "Electra", {**ENCODER, "embedding_size": 768}),
    "mpnet": ("MPNet-base", "MPNet", ENCODER),
    "deberta-v2": ("DeBERTa-v3-base", "DebertaV2", {**ENCODER, **DEBERTA}),
    "modernbert": ("ModernBERT-base", "ModernBert", {}),
    "gpt2": ("GPT-2", "GPT2", {}),
    "llama": ("SmolLM2-360M", "Llama", SMOL_LLAMA),
    "qwen2": ("Qwen2-0.5B", "Qwen2", QWEN2),
    "qwen3": ("Qwen3-0.6B", "Qwen3", QWEN3),
}


# Of torch and of both oneDNNs, and the name of our loops.
INSTRUCTIONS = {"avx2": {"ATEN_CPU_CAPABILITY": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2", "ONEDNN_MAX_CPU_ISA": "AVX2"}, "avx512": {}}


def make_model(name, layers, folder):
    """Returns the multiplications that a token costs, apart from those with other tokens."""
    _, family, sizes = MODELS[name]
    special = {"pad_token_id": 0, "bos_token_id": 101, "eos_token_id": 102}
    config = getattr(transformers, f"{family}Config")(**{"vocab_size": VOCABULARY, **special, **sizes})
    config.num_hidden_layers = layers
    if getattr(config, "layer_types", None):
        config.layer_types = config.layer_types[:layers]
    kind = getattr(transformers, f"{family}Model")
    gpu_peers.random_model(kind, config, folder, device="cpu")
    with torch.device("meta"):
        parts = [part for name, part in kind(config).named_modules() if "pooler" not in name]
    return sum(part.weight.numel() for part in parts if isinstance(part, (torch.nn.Linear, transformers.pytorch_utils.Conv1D)))


def measure(options, name, rows):
    """A row of the table."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        multiplications = make_model(name, options.layers, folder)
        tokens = pathlib.Path(folder) / "tokens"
        common.write_tokens(rows, tokens)
        model = argparse.Namespace(**{**vars(options), "model": folder})
        timed = {
            "transformers": cpu.peer("transformers", model, tokens, options.layers, "f32"),
            "ours": cpu.ours(model, tokens, options.layers, "f32", "all"),
        }
        for contender in timed.values():
            stack.callback(contender.close)
        clock = cpu.Contender.running_seconds if options.busy else cpu.Contender.seconds
        seconds = cpu.alternating(timed, options.rounds, clock)
    count = sum(map(len, rows))
    rates = {who: count / min(all_seconds) for who, all_seconds in seconds.items()}
    return {"architecture": name, "multiplications": multiplications, "rates": rates, "seconds": seconds, "setting": timed["transformers"].setting}


def sentences(options):
    rows = cpu.sentences(options)
    if not options.length:
        return rows
    ids = [number for row in rows for number in row]
    return [ids[at : at + options.length] for at in range(0, len(ids), options.length)]


HEAD = ["architecture", "sizes of", "10^6 multiplications per token", "transformers", "**wordbreadth**", "ratio", "10^9 multiplications per second"]


def line(row):
    theirs, ours = row["rates"]["transformers"], row["rates"]["ours"]
    cells = [f"`{row['architecture']}`", MODELS[row["architecture"]][0], f"{row['multiplications'] / 1e6:.1f}", f"{theirs:,.0f}", f"**{ours:,.0f}**"]
    return [*cells, f"{ours / theirs:.2f}", f"{ours * row['multiplications'] / 1e9:.0f}"]


def markdown(result, options):
    host, rows = result["machine"], result["rows"]
    settings = "; ".join(f"{row['architecture']}: {row['setting']}" for row in rows)
    per = "second that one thread has a core" if options.busy else f"second, {host['threads']} threads each"
    return f"""Tokens per {per}; all tokens through all layers in f32, {host['instructions']}
(`{command()}`):

{common.markdown_table(HEAD, [line(row) for row in rows])}

{host['cpu']}, {host['cores']} cores; {host['date']}, commit {host['commit']}; {common.versions_line(host)}.

- {result['tokens']:,} tokens in {result['sentences']:,} sentences of the King James Bible, {result['tokens'] / result['sentences']:.1f} tokens each in the mean; padding is not counted.
  Every figure is the fastest of {options.rounds} rounds, which alternate.
- The models have the sizes of those named, but {options.layers} layers and {VOCABULARY:,} words each, and random weights. Multiplications are
  those of the layers' matrices; the last column is wordbreadth's.
- transformers gets sentences sorted by length, and the fastest batch size found here: {settings}.
"""


def command():
    """What was typed, or what stands for it."""
    return " ".join(["bench/encoder/cpu_architectures.py", *sys.argv[1:]]) if sys.argv[1:] else "make bench-encoder"


def machine(options):
    return {**cpu.machine(options, ("torch", "transformers")), "instructions": options.instruction_set.upper().replace("512", "-512")}


def main():
    parser = common.arguments(__doc__, common.program("wordbreadth_encoder_bench"), "bench-encoder", 3)
    parser.add_argument("--architectures", nargs="+", choices=MODELS, default=list(MODELS))
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--model", default=common.MODEL, help="whose tokenizer makes the tokens")
    parser.add_argument("--threads", type=int, default=common.cores())
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--length", type=int, help="tokens of a sentence, which then has several of the text's")
    parser.add_argument("--instruction-set", choices=INSTRUCTIONS, default="avx512")
    parser.add_argument("--busy", action="store_true", help="one thread each, timed while it runs: for a machine with other work")
    options = parser.parse_args()
    options.threads = 1 if options.busy else options.threads
    os.environ |= INSTRUCTIONS[options.instruction_set]
    rows = sentences(options)
    result = {"machine": machine(options), "tokens": sum(map(len, rows)), "sentences": len(rows), "rows": []}
    for name in options.architectures:
        result["rows"].append(measure(options, name, rows))
        common.progress(" | ".join(line(result["rows"][-1])))
    name = "encoder_architectures" + ("_avx2" if options.instruction_set == "avx2" else "")
    common.write_results(options.results, name, markdown(result, options), result)


if __name__ == "__main__":
    main()
