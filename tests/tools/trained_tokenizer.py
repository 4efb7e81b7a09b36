"""A tokenizer as models have it, trained on the demo's texts, for tests/encoder/tokenizer/tokenizer_live_test.cc:

    trained_tokenizer.py KIND FOLDER

writes FOLDER/tokenizer.json and, for a key of CLASSES, the same tokenizer in the files of older models to FOLDER/older. KIND is a
key of KINDS below. Exit status 3: something is not installed.
"""

import io
import json
import pathlib
import sys

try:
    from demo_texts import Missing, languages, scripture
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
except ImportError as error:
    print(f"{error}: tools/parity.sh fetches it, as make test does where there is a network")
    sys.exit(3)

LLAMA_3 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN_2 = LLAMA_3.replace("{1,3}", "")
DEEPSEEK = [
    r"\p{N}{1,3}",
    "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
VOCABULARY = 4000


def texts():
    return scripture()[::16] + [line for line in languages()[::12] if line.strip()]


def bytes_then(*steps):
    return pre_tokenizers.Sequence([*steps, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def framed(tokenizer, single="<s> $A </s>"):
    ids = [(token, tokenizer.token_to_id(token)) for token in ("<s>", "</s>")]
    return processors.TemplateProcessing(single=single, special_tokens=ids)


def byte_pair(splitter, normalizer=None, **options):
    tokenizer = Tokenizer(models.BPE(**options))
    tokenizer.pre_tokenizer = splitter
    if normalizer:
        tokenizer.normalizer = normalizer
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts(), trainer)
    return tokenizer


def isolated(pattern):
    return pre_tokenizers.Split(Regex(pattern), "isolated")


def roberta():
    tokenizer = byte_pair(pre_tokenizers.ByteLevel(add_prefix_space=False))
    ends = [(token, tokenizer.token_to_id(token)) for token in ("</s>", "<s>")]
    tokenizer.post_processor = processors.RobertaProcessing(*ends, trim_offsets=True, add_prefix_space=False)
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    return tokenizer


def llama_3():
    tokenizer = byte_pair(bytes_then(isolated(LLAMA_3)), ignore_merges=True)
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=True), framed(tokenizer, "<s> $A")])
    return tokenizer


def qwen_2():
    tokenizer = byte_pair(bytes_then(isolated(QWEN_2)), normalizers.NFC())
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def deepseek():
    return byte_pair(bytes_then(*map(isolated, DEEPSEEK)))


def scripts():
    return byte_pair(bytes_then(pre_tokenizers.UnicodeScripts()))


def with_bytes(tokenizer):
    """Its tokens for bytes are no special ones: they stand for what is unknown."""
    changed = json.loads(tokenizer.to_str())
    changed["model"]["byte_fallback"] = True
    changed["added_tokens"] = [token for token in changed["added_tokens"] if token["content"] not in BYTES]
    return Tokenizer.from_str(json.dumps(changed))


def llama_2():
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")])
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY, special_tokens=SPECIAL + BYTES, limit_alphabet=300, show_progress=False)
    tokenizer.train_from_iterator((word for text in texts() for word in text.split()), trainer)
    tokenizer = with_bytes(tokenizer)
    tokenizer.post_processor = framed(tokenizer, "<s> $A")
    return tokenizer


def unigram(splitter, normalizer, special=SPECIAL):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = splitter
    tokenizer.normalizer = normalizer
    trainer = trainers.UnigramTrainer(vocab_size=VOCABULARY, special_tokens=special, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(texts(), trainer)
    tokenizer.add_special_tokens([AddedToken("<mask>", lstrip=True)])
    tokenizer.post_processor = framed(tokenizer)
    return tokenizer


def fields(message):
    """Of a protocol buffer: numbers and contents, which are bytes or numbers."""
    at = 0

    def variable():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        key = variable()
        if key & 7 == 0:
            yield key >> 3, variable()
            continue
        size = {1: 8, 2: None, 5: 4}[key & 7]
        size = variable() if size is None else size
        yield key >> 3, message[at : at + size]
        at += size


def charsmap():
    """The table of sentencepiece's usual normalizer, nmt_nfkc, out of a model that is trained for it."""
    try:
        import sentencepiece
    except ImportError as error:
        raise Missing(f"{error}: tools/parity.sh fetches it") from error
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(scripture()[:200]), model_writer=out, vocab_size=100, hard_vocab_limit=False, minloglevel=2
    )
    normalizer = dict(fields(out.getvalue()))[3]
    return dict(fields(normalizer))[2]


def xlm_roberta():
    splitter = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    return unigram(splitter, normalizers.Precompiled(charsmap()))


def unigram_with_bytes():
    """Also what t5 and ALBERT have: one word per text, and normalizers that replace."""
    steps = [normalizers.Nmt(), normalizers.NFKC(), normalizers.Strip(left=False), normalizers.Replace(Regex(" {2,}"), " ")]
    tokenizer = with_bytes(unigram(pre_tokenizers.Metaspace(), normalizers.Sequence(steps), SPECIAL + BYTES))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)  # to train it so takes minutes
    return tokenizer


KINDS = {kind.__name__: kind for kind in (roberta, llama_3, qwen_2, deepseek, scripts, llama_2, xlm_roberta, unigram_with_bytes)}

CLASSES = {"roberta": "RobertaTokenizer", "qwen_2": "Qwen2Tokenizer"}


def save_older(tokenizer, kind, folder):
    """vocab.json and merges.txt; the rest is for the class to say."""
    folder.mkdir()
    tokenizer.model.save(str(folder))
    added = {token.pop("id"): token for token in json.loads(tokenizer.to_str())["added_tokens"]}
    configuration = {"tokenizer_class": CLASSES[kind], "added_tokens_decoder": added}
    (folder / "tokenizer_config.json").write_text(json.dumps(configuration), encoding="utf-8")


def main(kind, folder):
    tokenizer, folder = KINDS[kind](), pathlib.Path(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    if kind in CLASSES:
        save_older(tokenizer, kind, folder / "older")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Missing as missing:
        print(missing)
        sys.exit(3)
