"""Makes tests/data/models: small random models of each architecture, and what transformers makes of some tokens.

    pip install -r model_requirements.txt
    python make_model_goldens.py [NAME...]

Run once for each model (all, or those named); its output is committed. A folder holds a snapshot (config.json and weights, in one of the forms that users bring)
and golden.safetensors: `ids` and `types` (sentences, longest; -1 past a sentence's end) as float32, and `layer0`,
`layer1`, ... (tokens, hidden), the hidden states of all sentences one after the other, in float32.
"""

import inspect
import json
import pathlib
import shutil
import sys

import torch
import transformers
from safetensors.torch import save_file

OUT = pathlib.Path(__file__).resolve().parent.parent / "data" / "models"
LENGTHS = [1, 2, 18, 40]
BERT = {
    "vocab_size": 60,
    "hidden_size": 24,
    "num_hidden_layers": 3,
    "num_attention_heads": 3,
    "intermediate_size": 34,
    "max_position_embeddings": 40,
}
# Positions begin at 2; tokens 1, of which sentences have some, are not counted.
ROBERTA = BERT | {"max_position_embeddings": 42, "type_vocab_size": 1, "layer_norm_eps": 1e-5}
DEBERTA = BERT | {"num_attention_heads": 2, "relative_attention": True, "max_relative_positions": -1}
DECODER = BERT | {"max_position_embeddings": 64, "num_attention_heads": 6, "num_key_value_heads": 2}
MODERN = {
    "vocab_size": 60,
    "hidden_size": 28,
    "num_hidden_layers": 4,
    "num_attention_heads": 2,
    "intermediate_size": 22,
    "max_position_embeddings": 64,
    "local_attention": 10,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "cls_token_id": 1,
    "sep_token_id": 2,
}


def is_norm(name):
    return "norm" in name.lower() or ".ln_" in name or name.startswith("ln_")


def random_model(architecture, config, stored, seed):
    """Weights large enough that attention is not even, rounded to the type they are stored in."""
    torch.manual_seed(seed)
    model = getattr(transformers, architecture + "Model")(config).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = torch.randn_like(weight) * 0.2
            weight.copy_((noise + (1 if is_norm(name) and name.endswith("weight") else 0)).to(stored))
    return model


def tokens(seed, types):
    torch.manual_seed(seed)
    ids = [torch.randint(0, 60, (1, length)) for length in LENGTHS]
    return ids, [torch.randint(0, types, (1, length)) for length in LENGTHS]


def padded(rows):
    table = torch.full((len(rows), max(LENGTHS)), -1.0)
    for i, row in enumerate(rows):
        table[i, : row.shape[1]] = row[0]
    return table


@torch.no_grad()
def golden(model, seed):
    known = "token_type_ids" in inspect.signature(model.forward).parameters
    count = getattr(model.config, "type_vocab_size", 0) if known else 0
    has_types = count > 1
    ids, types = tokens(seed, max(count, 1))
    more = [{"token_type_ids": row} if has_types else {} for row in types]
    states = [model(row, output_hidden_states=True, **extra).hidden_states for row, extra in zip(ids, more)]
    layers = {f"layer{k}": torch.cat([s[k][0] for s in states]).float().contiguous() for k in range(len(states[0]))}
    return {"ids": padded(ids), "types": padded(types), **layers}


def weights(model, stored, prefix, renamed):
    state = {}
    for name, weight in model.state_dict().items():
        for old, new in renamed.items():
            name = name.replace(old, new)
        if not name.startswith("pooler"):
            state[prefix + name] = weight.to(stored).contiguous()
    return state


def save(folder, state, form):
    if form == "torch":
        return torch.save(state, folder / "pytorch_model.bin")
    if form == "single":
        return save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    names, shards = sorted(state), {}
    for i, name in enumerate(names):
        shards[name] = f"model-{1 + 2 * i // len(names):05d}-of-00002.safetensors"
    for file in set(shards.values()):
        save_file({n: state[n] for n in names if shards[n] == file}, folder / file, metadata={"format": "pt"})
    index = {"metadata": {}, "weight_map": shards}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=1))


def old_config(config):
    """As published models have it, before transformers 5."""
    if "rope_theta" in config.rope_parameters:
        old = {k: v for k, v in config.to_dict().items() if k not in ("layer_types", "rope_parameters")}
        return old | {"rope_theta": config.rope_parameters["rope_theta"], "rope_scaling": None}
    full, local = (config.rope_parameters[kind]["rope_theta"] for kind in ("full_attention", "sliding_attention"))
    old = {k: v for k, v in config.to_dict().items() if k not in ("layer_types", "rope_parameters")}
    return old | {"global_rope_theta": full, "local_rope_theta": local, "global_attn_every_n_layers": 3}


def make(name, architecture, sizes, seed, stored=torch.float32, prefix="", renamed=None, form="single", old=False):
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    config = getattr(transformers, architecture + "Config")(**sizes)
    config._attn_implementation = "eager"
    model = random_model(architecture, config, stored, seed)
    save(folder, weights(model, stored, prefix, renamed or {}), form)
    written = old_config(config) if old else config.to_dict()
    kept = {k: v for k, v in written.items() if k not in ("_name_or_path", "id2label", "label2id")}
    (folder / "config.json").write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    save_file(golden(model, seed + 1), folder / "golden.safetensors")


GAMMA = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
BIASED = MODERN | {"norm_bias": True, "attention_bias": True, "mlp_bias": True, "hidden_activation": "silu"}
DISTIL = {"vocab_size": 60, "dim": 20, "n_layers": 3, "n_heads": 4, "hidden_dim": 36, "max_position_embeddings": 40}
BUCKETS = {"position_buckets": 8, "share_att_key": True, "pos_att_type": ["p2c", "c2p"], "norm_rel_ebd": "layer_norm",
           "position_biased_input": False, "attention_head_size": 12}
PLAIN = {"pos_att_type": "c2p", "type_vocab_size": 2}
GPT2 = {"vocab_size": 60, "n_embd": 20, "n_layer": 3, "n_head": 2, "n_positions": 40}
LLAMA3 = {"rope_type": "llama3", "rope_theta": 5000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 32}
WINDOW = {"use_sliding_window": True, "sliding_window": 7, "max_window_layers": 1}

MODELS = {
    "bert": ("Bert", BERT, 10, {}),
    "bert-torch": ("Bert", BERT | {"hidden_act": "gelu_new"}, 20, {"prefix": "bert.", "renamed": GAMMA, "form": "torch"}),
    "bert-f16": ("Bert", BERT | {"hidden_act": "relu"}, 30, {"stored": torch.float16}),
    "modernbert": ("ModernBert", MODERN, 40, {"prefix": "model.", "form": "shards", "old": True}),
    "modernbert-bf16": ("ModernBert", BIASED, 50, {"stored": torch.bfloat16}),
    "roberta": ("Roberta", ROBERTA, 60, {"prefix": "roberta.", "form": "torch"}),
    "xlm-roberta": ("XLMRoberta", ROBERTA, 70, {"prefix": "roberta.", "form": "shards"}),
    "camembert": ("Camembert", ROBERTA | {"type_vocab_size": 2, "num_attention_heads": 4}, 80, {}),
    "distilbert": ("DistilBert", DISTIL, 90, {"prefix": "distilbert."}),
    "electra": ("Electra", BERT | {"embedding_size": 10, "num_attention_heads": 2}, 100, {"prefix": "electra."}),
    "electra-wide": ("Electra", BERT | {"embedding_size": 24}, 110, {}),
    "mpnet": ("MPNet", BERT | {"hidden_size": 21, "max_position_embeddings": 42}, 120, {"prefix": "mpnet."}),
    "deberta": ("DebertaV2", DEBERTA | BUCKETS, 130, {"prefix": "deberta.", "form": "torch"}),
    "deberta-plain": ("DebertaV2", DEBERTA | PLAIN, 140, {}),
    "gpt2": ("GPT2", GPT2, 150, {"prefix": "transformer."}),
    "gpt2-scaled": ("GPT2", GPT2 | {"scale_attn_by_inverse_layer_idx": True, "n_inner": 30}, 160, {}),
    "llama": ("Llama", DECODER | {"head_dim": 10, "rope_parameters": LLAMA3}, 170, {"prefix": "model.", "form": "shards"}),
    "llama-biased": ("Llama", DECODER | {"attention_bias": True, "mlp_bias": True}, 180, {"stored": torch.bfloat16}),
    "qwen2": ("Qwen2", DECODER | WINDOW | {"rope_theta": 20000.0}, 190, {"prefix": "model.", "old": True}),
    "qwen2-seeing-all": ("Qwen2", DECODER | WINDOW | {"is_causal": False}, 210, {}),
    "qwen3": ("Qwen3", DECODER | {"head_dim": 14, "num_attention_heads": 3, "num_key_value_heads": 1}, 200, {}),
}


def main():
    for name in sys.argv[1:] or MODELS:
        architecture, sizes, seed, how = MODELS[name]
        make(name, architecture, sizes, seed, **how)


if __name__ == "__main__":
    main()
