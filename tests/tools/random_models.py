"""Random small models of every architecture, odd sizes included, beside transformers: is every layer right?

    pip install -r model_requirements.txt
    PYTHONPATH=build/python python tests/tools/random_models.py [--models 20] [--seed 0] [ARCHITECTURE...]

A layer is right if it is within 1e-5 of transformers' in float64, relative to its largest value. Random weights make
some models so sensitive that no float32 program is: where changing every weight by a random relative 2^-24, half a
unit in the last place, moves transformers' own float64 vectors, FACTOR times that movement is allowed, and twice the
error of transformers' own float32. Prints the models that needed it, and the median error of the layers beside that of
transformers' own float32. Exit status 1: a model is wrong.
"""

import argparse
import json
import pathlib
import random
import statistics
import sys
import tempfile

import make_model_goldens as goldens
import torch
import transformers

import wordbreadth as wb

VOCABULARY = 60
FACTOR = 8  # a product of k terms is rounded k times, its weights once
ARCHITECTURES = {
    "bert": "Bert",
    "roberta": "Roberta",
    "xlm-roberta": "XLMRoberta",
    "camembert": "Camembert",
    "distilbert": "DistilBert",
    "electra": "Electra",
    "mpnet": "MPNet",
    "deberta-v2": "DebertaV2",
    "modernbert": "ModernBert",
    "gpt2": "GPT2",
    "llama": "Llama",
    "qwen2": "Qwen2",
    "qwen3": "Qwen3",
}
DECODERS = ("llama", "qwen2", "qwen3")


def sizes(architecture, numbers):
    """Heads of even and odd numbers, of sizes that are no multiple of a vector register."""
    groups = numbers.randint(1, 3)
    heads = groups * numbers.randint(1, 3)
    head = 2 * numbers.randint(1, 12)
    common = {
        "vocab_size": VOCABULARY,
        "hidden_size": heads * head,
        "num_hidden_layers": numbers.randint(1, 4),
        "num_attention_heads": heads,
        "intermediate_size": numbers.randint(3, 70),
        "max_position_embeddings": 64,
    }
    if architecture in DECODERS:
        common |= {"num_key_value_heads": groups, "head_dim": head}
    if architecture == "deberta-v2":
        common |= {
            "relative_attention": True,
            "max_relative_positions": numbers.choice((-1, 7)),
            "pos_att_type": ["p2c", "c2p"],
            "position_buckets": numbers.choice((-1, 6)),
        }
    if architecture == "distilbert":
        common = {
            "vocab_size": VOCABULARY,
            "dim": heads * head,
            "n_layers": common["num_hidden_layers"],
            "n_heads": heads,
            "hidden_dim": common["intermediate_size"],
            "max_position_embeddings": 64,
        }
    if architecture == "gpt2":
        common = {
            "vocab_size": VOCABULARY,
            "n_embd": heads * head,
            "n_layer": common["num_hidden_layers"],
            "n_head": heads,
            "n_inner": common["intermediate_size"],
            "n_positions": 64,
        }
    if architecture == "modernbert":
        common |= {
            "local_attention": 10,
            "pad_token_id": 0,
            "bos_token_id": 1,
            "eos_token_id": 2,
            "cls_token_id": 1,
            "sep_token_id": 2,
        }
    return common


def write_model(architecture, seed, folder):
    config = getattr(transformers, ARCHITECTURES[architecture] + "Config")(
        **sizes(architecture, random.Random(f"{architecture} {seed}"))
    )
    config._attn_implementation = "eager"
    model = goldens.random_model(ARCHITECTURES[architecture], config, torch.float32, seed)
    goldens.save(folder, goldens.weights(model, torch.float32, "", {}), "single")
    (folder / "config.json").write_text(json.dumps({**config.to_dict(), "torch_dtype": "float32"}), encoding="utf-8")
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"w{number}" for number in range(4, VOCABULARY))]
    (folder / "vocab.txt").write_text("\n".join(names) + "\n", encoding="utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer"}), encoding="utf-8")
    return model


@torch.no_grad()
def states(model, sentences):
    """(tokens, hidden) of each layer, in float64."""
    found = [model(torch.tensor([ids]), output_hidden_states=True).hidden_states for ids in sentences]
    return [torch.cat([sentence[layer][0] for sentence in found]).double() for layer in range(len(found[0]))]


@torch.no_grad()
def moved(model, sentences, exact, seed):
    """How far half a unit in the last place of the weights moves each layer: the largest of three."""
    original = {name: weight.clone() for name, weight in model.named_parameters()}
    largest = [0.0] * len(exact)
    for trial in range(3):
        torch.manual_seed(1000 * seed + trial)
        for name, weight in model.named_parameters():
            weight.copy_(original[name] * (1 + (2 * torch.rand_like(weight) - 1) * 2**-24))
        largest = [max(old, distance(new, right)) for old, new, right in zip(largest, states(model, sentences), exact)]
    for name, weight in model.named_parameters():
        weight.copy_(original[name])
    return largest


def distance(found, right):
    return float((found - right).abs().max() / right.abs().max())


def ours(folder, sentences, layer):
    texts = [" ".join(f"w{token}" for token in ids[1:-1]) for ids in sentences]
    encoder = wb.Encoder(folder, layers=layer, max_tokens=50, precision="f32", device="cpu", threads=1)
    return torch.cat([torch.tensor(text.vectors) for text in encoder(texts, tokens=True, progress=False)]).double()


def check(architecture, seed):
    """Whether the model is right, a line if that took more than the plain bound, and the errors of layers: ours, theirs."""
    numbers = random.Random(seed)
    sentences = [[2, *(numbers.randrange(4, VOCABULARY) for _ in range(length)), 3] for length in (1, 2, 17, 40)]
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        single = write_model(architecture, seed, folder)
        plain, model = states(single, sentences), single.double()
        exact = states(model, sentences)
        errors = [distance(ours(folder, sentences, layer), exact[layer]) for layer in range(1, len(exact))]
        theirs = [distance(found, right) for found, right in zip(plain, exact)][1:]
        if max(errors) <= 1e-5:
            return True, None, (errors, theirs)
        bounds = moved(model, sentences, exact, seed)[1:]
        allowed = [max(1e-5, FACTOR * bound, 2 * their) for bound, their in zip(bounds, theirs)]
        right = all(error <= bound for error, bound in zip(errors, allowed))
        worst = max(range(len(errors)), key=errors.__getitem__)
        line = (
            f"{architecture} {seed}, layer {worst + 1}: ours {errors[worst]:.1e}, transformers' float32 {theirs[worst]:.1e}, "
            f"moved {bounds[worst]:.1e}{'' if right else ': WRONG'}"
        )
        return right, line, (errors, theirs)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("architectures", nargs="*", metavar="ARCHITECTURE")
    arguments.add_argument("--models", default=20, type=int, help="of each architecture")
    arguments.add_argument("--seed", default=0, type=int, help="of the first")
    options = arguments.parse_args()
    torch.set_num_threads(1)
    wrong = 0
    for architecture in options.architectures or ARCHITECTURES:
        lines, all_errors = [], ([], [])
        for seed in range(options.seed, options.seed + options.models):
            right, text, errors = check(architecture, seed)
            wrong += not right
            for known, new in zip(all_errors, errors):
                known += new
            if text:
                lines.append(text)
        own, theirs = map(statistics.median, all_errors)
        print(
            f"{architecture}: {options.models} models, {options.models - len(lines)} within 1e-5; "
            f"median of layers: ours {own:.1e}, transformers' float32 {theirs:.1e}",
            *lines,
            sep="\n  ",
            flush=True,
        )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
