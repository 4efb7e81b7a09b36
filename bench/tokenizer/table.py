"""Tokens per second, ours and those of Python's `tokenizers`, on the same texts in the same run with the same threads:

    table.py [THREADS] [PROGRAM]

The texts are the demo corpora. WordPiece is the demo model's; byte-level BPE is trained here with ModernBERT's components and
number of tokens, again with Llama 3's, and Unigram with sentencepiece's. Runs alternate, and the best of three counts. Python's is timed twice: as it comes, with offsets, and by
encode_batch_fast, which leaves them out.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import common  # noqa: E402

sys.path.append(str(common.ROOT / "tests" / "tools"))

ROUNDS = 3
THREADS = sys.argv[1] if len(sys.argv) > 1 else "2"
TIMING = sys.argv[2] if len(sys.argv) > 2 else common.program("wordbreadth_tokenizer_bench")
os.environ |= {"RAYON_NUM_THREADS": THREADS, "TOKENIZERS_PARALLELISM": "true"}

from demo_texts import manuals, scripture  # noqa: E402  (the library reads the environment once)
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers  # noqa: E402


LLAMA_3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def llama_words():
    words = pre_tokenizers.Split(Regex(LLAMA_3), "isolated")
    return pre_tokenizers.Sequence([words, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def unigram(texts):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=32000, special_tokens=["<unk>", "<s>", "</s>"], unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)])
    return tokenizer


def byte_pair(texts, words=None):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = words or pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["[CLS]", "[SEP]"]
    trainer = trainers.BpeTrainer(vocab_size=50368, initial_alphabet=alphabet, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 0), ("[SEP]", 1)])
    return tokenizer


def ours(folder, file):
    out = subprocess.run([TIMING, folder, file, THREADS], capture_output=True, text=True, check=True).stdout.split()
    return int(out[0]), float(out[1])


def python(encode, texts):
    encodings = []
    seconds = common.seconds_of(lambda: encodings.extend(encode(texts)))
    return sum(len(encoding.ids) for encoding in encodings), seconds


def best(runs):
    tokens, seconds = min(runs, key=lambda run: run[1])
    return tokens, tokens / seconds / 1e6


def compare(name, folder, texts, file):
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    runs = {"ours": [], "python": [], "fast": []}
    for _ in range(ROUNDS):
        runs["ours"].append(ours(folder, file))
        runs["python"].append(python(tokenizer.encode_batch, texts))
        runs["fast"].append(python(tokenizer.encode_batch_fast, texts))
    (tokens, rate), (same, theirs), (_, fast) = (best(runs[key]) for key in ("ours", "python", "fast"))
    assert tokens == same, "the tokens differ"
    print(f"{name:<10} {tokens:>12,} {rate:>8.2f} {theirs:>8.2f} {fast:>16.2f} {rate / theirs:>7.1f}", flush=True)


def main():
    texts = [text for text in [*scripture(), *manuals()] if text]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "texts.txt"
        file.write_text("".join(text.replace("\n", " ") + "\n" for text in texts), encoding="utf-8")
        print(f"million tokens per second, {THREADS} threads\n{'':<10} {'tokens':>12} {'ours':>8} {'python':>8} {'without offsets':>16} {'ratio':>7}")
        compare("WordPiece", common.MODEL, texts, str(file))
        for name, tokenizer in {"BPE": byte_pair(texts), "Llama 3": byte_pair(texts, llama_words()), "Unigram": unigram(texts)}.items():
            tokenizer.save(f"{folder}/tokenizer.json")
            compare(name, folder, texts, str(file))


if __name__ == "__main__":
    main()
