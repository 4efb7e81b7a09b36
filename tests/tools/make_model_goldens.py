"""Makes tests/data/models: small random models of each architecture, and what transformers makes of some tokens.

    pip install -r model_requirements.txt
    python make_model_goldens.py

Run once; its output is committed. A folder holds a snapshot (config.json and weights, in one of the forms that users bring)
and golden.safetensors: `ids` and `types` (sentences, longest; -1 past a sentence's end) as float32, and `layer0`,
`layer1`, ... (tokens, hidden), the hidden states of all sentences one after the other, in float32.
"""

import json
import pathlib
import shutil

import torch
from safetensors.torch import save_file
from transformers import BertConfig, BertModel, ModernBertConfig, ModernBertModel

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


def random_model(kind, config, stored, seed):
    """Weights large enough that attention is not even, rounded to the type they are stored in."""
    torch.manual_seed(seed)
    model = kind(config).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            noise = torch.randn_like(weight) * 0.2
            weight.copy_((noise + (1 if "norm" in name.lower() and name.endswith("weight") else 0)).to(stored))
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
    has_types = isinstance(model, BertModel)
    ids, types = tokens(seed, 2 if has_types else 1)
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
    """As the published ModernBERTs have it, before transformers 5."""
    full, local = (config.rope_parameters[kind]["rope_theta"] for kind in ("full_attention", "sliding_attention"))
    old = {k: v for k, v in config.to_dict().items() if k not in ("layer_types", "rope_parameters")}
    return old | {"global_rope_theta": full, "local_rope_theta": local, "global_attn_every_n_layers": 3}


def make(name, kind, config, seed, stored=torch.float32, prefix="", renamed=None, form="single", old=False):
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    config._attn_implementation = "eager"
    model = random_model(kind, config, stored, seed)
    save(folder, weights(model, stored, prefix, renamed or {}), form)
    written = old_config(config) if old else config.to_dict()
    kept = {k: v for k, v in written.items() if k not in ("_name_or_path", "id2label", "label2id")}
    (folder / "config.json").write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    save_file(golden(model, seed + 1), folder / "golden.safetensors")


def main():
    make("bert", BertModel, BertConfig(**BERT), 10)
    gamma = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    make("bert-torch", BertModel, BertConfig(**BERT, hidden_act="gelu_new"), 20, prefix="bert.", renamed=gamma, form="torch")
    make("bert-f16", BertModel, BertConfig(**BERT, hidden_act="relu"), 30, stored=torch.float16)
    make("modernbert", ModernBertModel, ModernBertConfig(**MODERN), 40, prefix="model.", form="shards", old=True)
    biased = ModernBertConfig(**MODERN, norm_bias=True, attention_bias=True, mlp_bias=True, hidden_activation="silu")
    make("modernbert-bf16", ModernBertModel, biased, 50, stored=torch.bfloat16)


if __name__ == "__main__":
    main()
