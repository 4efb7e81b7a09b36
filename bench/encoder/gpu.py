"""Times the encoder on a GPU beside transformers in one run, prints the table, and writes bench/results/gpu_encoder.{md,json}.

The models have the sizes of published ones and random weights; nothing is downloaded. Sentences are random tokens, as long as
those of the Brown corpus. Ours are whole calls: ids in the host's memory in, vectors in the host's memory out.
"""
import pathlib
import random
import sys
import tempfile

import gpu_peers as peers
import torch
import transformers

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import common  # noqa: E402

TOKENS = 2_000_000
BATCH = 524_288  # tokens per call
CHECKED = 4_000  # tokens that are compared with the CPU

MODELS = {
    "BERT-large": (transformers.BertModel, transformers.BertConfig(
        hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)),
    "MiniLM-L6": (transformers.BertModel, transformers.BertConfig(
        hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)),
    "ModernBERT-base": (transformers.ModernBertModel, transformers.ModernBertConfig()),
    "XLM-R-base": (transformers.XLMRobertaModel, transformers.XLMRobertaConfig(
        vocab_size=250002, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5)),
    "MPNet-base": (transformers.MPNetModel, transformers.MPNetConfig(vocab_size=30527, max_position_embeddings=514)),
    "DeBERTa-v3-base": (transformers.DebertaV2Model, transformers.DebertaV2Config(
        vocab_size=128100, hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072,
        type_vocab_size=0, relative_attention=True, position_buckets=256, norm_rel_ebd="layer_norm", share_att_key=True,
        pos_att_type=["p2c", "c2p"], position_biased_input=False, layer_norm_eps=1e-7)),
    "Qwen2-0.5B": (transformers.Qwen2Model, transformers.Qwen2Config(
        hidden_size=896, num_hidden_layers=24, num_attention_heads=14, num_key_value_heads=2, intermediate_size=4864,
        rope_parameters={"rope_type": "default", "rope_theta": 1000000.0})),
}


def sentences(count, vocabulary):
    """Lengths as in Brown: about 25 tokens in the middle, few of 5 and few of 80."""
    numbers = random.Random(0)
    made, tokens = [], 0
    while tokens < count:
        length = min(max(round(numbers.gammavariate(2.6, 9.6)), 5), 80)
        made.append([numbers.randrange(1000, vocabulary) for _ in range(length)])
        tokens += length
    return made


def run_ours(options, folder, tokens, layer, dtype, keep, checked):
    command = [options.program, folder, tokens, layer, dtype, keep, options.batch, options.threads, checked]
    result = common.json_of(command, common.cublas_environment())
    return {**result, "tokens_per_second": result["tokens"] / min(result["seconds"])}


def measure_layer(options, folder, made, tokens, layer, keep):
    theirs, batching = peers.tokens_per_second(folder, layer, made)
    row = {"layer": layer, "keep": keep, "transformers": theirs, "batching": batching, "attention": peers.attention(folder)}
    for dtype in ("bf16", "f16"):
        row[dtype] = run_ours(options, folder, tokens, layer, dtype, keep, CHECKED)
    return row


def measure(options):
    """Row by row."""
    with tempfile.TemporaryDirectory() as place:
        for name in options.models:
            kind, config = MODELS[name]
            folder, tokens = pathlib.Path(place) / name, pathlib.Path(place) / "tokens"
            peers.random_model(kind, config, folder)
            made = sentences(options.tokens, config.vocab_size)
            common.write_tokens(made, tokens)
            layers = config.num_hidden_layers
            for layer, keep in ((layers, "all"), (layers // 2, "one")):
                yield {"model": name, **measure_layer(options, folder, made, tokens, layer, keep)}


def line(row):
    ours, half = row["bf16"]["tokens_per_second"], row["f16"]["tokens_per_second"]
    marked = "\\*" if row["attention"] == "eager" else ""
    cells = [row["model"], row["layer"], row["keep"], f"{row['transformers']:,.0f}{marked}", f"**{ours:,.0f}**", f"{half:,.0f}",
             f"{ours / row['transformers']:.2f}x", f"{row['bf16']['cosine']:.6f}", f"{row['f16']['cosine']:.6f}",
             f"{row['bf16']['breadth_ratio']:.4f}", f"{row['f16']['breadth_ratio']:.4f}"]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


HEAD = """| model | layer | kept | transformers, bf16 | **ours, bf16** | ours, f16 | bf16 to transformers | cosine, bf16 | cosine, f16 | v, bf16 | v, f16 |
|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|"""


def machine(options):
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    commit = {"commit": options.commit} if options.commit else {}
    return common.machine(versions, **common.gpu_machine(), **commit, attention=peers.fastest_attention())


def markdown(rows, host, options):
    lines = "\n".join(line(row) for row in rows)
    return f"""Real tokens per second up to a layer, sentences of 5 to 80 tokens, about 25 in the middle:

{HEAD}
{lines}

{host['gpu']}, {host['memory']}, driver {host['driver']}, CUDA {host['cuda']}; {host['cpu']}, {options.threads} threads; {host['date']},
commit {host['commit']}; {common.versions_line(host)}, {host['attention']} (\\*: eager, where it has nothing else).

- ours: whole calls of the encoder by the host's clock, the fastest of five rounds over {options.tokens:,} tokens, {options.batch:,} per call;
  ids come from the host's memory and the vectors, in float32, go back there. kept: the vectors of all tokens, or of one per sentence.
- transformers: ids on the device, sentences sorted by length, the faster of batches of one length each without a mask and of
  padded ones, {peers.BATCH_TOKENS:,} tokens each; the vectors stay on the device. Its model is cut off above the layer.
- cosine: the smallest of {CHECKED:,} tokens (or of those kept among them) with the CPU's float32; v: the breadth of all their vectors to the CPU's.
- Models have the sizes of the published ones and random weights.
"""


def main():
    arguments = common.arguments(__doc__, common.gpu_program("wordbreadth_gpu_encoder"), "gpu-bench")
    arguments.add_argument("--models", nargs="+", choices=MODELS, default=list(MODELS))
    arguments.add_argument("--tokens", default=TOKENS, type=int)
    arguments.add_argument("--batch", default=BATCH, type=int, help="tokens per call")
    arguments.add_argument("--threads", default=common.cores(), type=int)
    arguments.add_argument("--commit", help="the commit that was built, where git does not know")
    options = arguments.parse_args()
    host, rows = machine(options), []
    print(HEAD, flush=True)
    for row in measure(options):
        rows.append(row)
        print(line(row), flush=True)
        # After every row: a run that is cut short keeps what it measured.
        text = markdown(rows, host, options)
        common.write_results(options.results, "gpu_encoder", text, {"machine": host, "rows": rows}, show=False)
    print(f"\n{text}")


if __name__ == "__main__":
    main()
