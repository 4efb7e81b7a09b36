"""What one would run instead of `extract`: a script with transformers, one process from the text to a file of clouds.

    transformers_extract.py MODEL CORPUS LAYER DTYPE DEVICE FILE.safetensors

Reads and tokenizes a text of corpus.py, and draws 100 occurrences of every word of one token that has as many. Their sentences go through
the model, which is cut off above the layer, sorted by length and those of one length together: the fastest way, without padding or mask.
Prints JSON: tokens that went through the model, and seconds before and in it.
"""

import itertools
import json
import pathlib
import sys
import time

import numpy as np
import torch
import transformers
from safetensors.numpy import save_file

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "encoder"))
import corpus  # noqa: E402
import gpu_peers  # noqa: E402

PER_WORD = 100
BATCH_TOKENS = {"cuda": gpu_peers.BATCH_TOKENS, "cpu": 2048}


def occurrences(ids, lengths, tokenizer):
    """(sentence, position, id) of those drawn, those of one word together."""
    vocabulary = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    is_word = np.array([token.isalpha() for token in vocabulary])
    continues = np.array([token.startswith("##") for token in vocabulary])
    whole = is_word[ids] & ~continues[np.append(ids[1:], ids[0])]
    shuffled = np.random.default_rng(0).permutation(np.flatnonzero(whole))
    by_word = shuffled[np.argsort(ids[shuffled], kind="stable")]
    _, starts, counts = np.unique(ids[by_word], return_index=True, return_counts=True)
    drawn = np.concatenate([by_word[start : start + PER_WORD] for start, count in zip(starts, counts) if count >= PER_WORD])
    first = np.cumsum(lengths) - lengths
    sentence = np.searchsorted(first, drawn, side="right") - 1
    return sentence, drawn - first[sentence], ids[drawn]


@torch.inference_mode()
def embed(model, tokens, sentence, position, device):
    """A vector per occurrence, and how many tokens it took."""
    vectors = np.empty((len(sentence), model.config.hidden_size), np.float32)
    rows_of = {}
    for row, number in enumerate(sentence):
        rows_of.setdefault(number, []).append(row)
    numbered = sorted(rows_of, key=lambda number: len(tokens[number]))
    for _, group in itertools.groupby(numbered, key=lambda number: len(tokens[number])):
        group = list(group)
        size = max(1, BATCH_TOKENS[device] // len(tokens[group[0]]))
        for batch in (group[at : at + size] for at in range(0, len(group), size)):
            hidden = model(input_ids=torch.tensor([tokens[number] for number in batch]).to(device)).last_hidden_state
            rows = [row for number in batch for row in rows_of[number]]
            place = [at for at, number in enumerate(batch) for _ in rows_of[number]]
            vectors[rows] = hidden[place, position[rows]].float().cpu().numpy()
    return vectors, sum(len(tokens[number]) for number in numbered)


def main():
    folder, text, layer, dtype, device, path = sys.argv[1:]
    start = time.perf_counter()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokens = tokenizer(corpus.sentences(text), return_attention_mask=False, return_token_type_ids=False)["input_ids"]
    lengths = np.array([len(sentence) for sentence in tokens])
    ids = np.fromiter(itertools.chain.from_iterable(tokens), np.int64)
    sentence, position, words = occurrences(ids, lengths, tokenizer)
    planned = time.perf_counter()
    model = gpu_peers.load(folder, int(layer), device, {"bf16": torch.bfloat16, "f32": torch.float32}[dtype])
    loaded = time.perf_counter()
    vectors, embedded = embed(model, tokens, sentence, position, device)
    done = time.perf_counter()
    of_words = dict(zip(*np.unique(words, return_index=True)))
    save_file({tokenizer.convert_ids_to_tokens(int(word)): vectors[at : at + PER_WORD] for word, at in of_words.items()}, path)
    print(json.dumps({"tokens": embedded, "rows": len(words), "plan_seconds": planned - start, "load_seconds": loaded - planned,
                      "embed_seconds": done - loaded}))


if __name__ == "__main__":
    main()
