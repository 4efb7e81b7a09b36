"""Makes tests/data/tokenizers with Python's `tokenizers` (and `transformers` for Japanese). Run once; its output is committed.

    pip install tokenizers==0.23.3 transformers==5.22.2 fugashi==1.5.2 unidic-lite==1.0.8 sentencepiece==0.2.3 protobuf
    python make_tokenizer_goldens.py

What lies there afterwards:
    wordpiece/      a small uncased WordPiece tokenizer with BERT's components, and what it makes of hostile texts
    bpe/            the same for byte-level BPE with ModernBERT's components
    vocab/          a cased one as vocab.txt and tokenizer_config.json
    japanese/       a vocab.txt for MeCab with unidic-lite
    xlm_roberta/, camembert/, deberta/, llama/   models of sentencepiece
    gpt2/, roberta/ vocab.json and merges.txt
    unicode.json    what the library takes every character of Unicode for
"""

import io
import json
import pathlib

import tokenizers
from hostile_texts import GROUPS, texts
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from unicode_golden import unicode_golden

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent / "data" / "tokenizers"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
MANY = 48  # tokens; more are kept as a digest
PRESPLIT = [
    ["The", "quick", "brown", "foxes"],
    ["don't", "", " ", "stop", "U.S.A."],
    ["caf\u00e9", "cafe\u0301", "\u65e5\u672c\u8a9e", "[MASK]", "\U0001f926\U0001f3fd\u200d\u2642\ufe0f"],
    ["\u0301", "\x00", "a\u00adb", "two words"],
    [],
]
NORMALIZERS = {
    "cased": normalizers.BertNormalizer(lowercase=False),
    "accents stripped, case kept": normalizers.BertNormalizer(lowercase=False, strip_accents=True),
    "accents kept": normalizers.BertNormalizer(lowercase=True, strip_accents=False),
    "not cleaned": normalizers.BertNormalizer(clean_text=False, handle_chinese_chars=False),
    "none": None,
    "NFD": normalizers.NFD(),
    "NFKD": normalizers.NFKD(),
    "NFKC then lower case": normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()]),
}


def digest(numbers):
    """FNV-1a over 32-bit numbers."""
    value = 0xCBF29CE484222325
    for number in numbers:
        value = ((value ^ (number & 0xFFFFFFFF)) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def columns(encoding):
    words = [-1 if word is None else word for word in encoding.word_ids]
    return [encoding.ids, [b for b, _ in encoding.offsets], [e for _, e in encoding.offsets], words]


def kept(encoding, always_digest=False):
    """ids, begins, ends and words; or how many tokens there are and a digest of the four, one after the other."""
    four = columns(encoding)
    if len(four[0]) <= MANY and not always_digest:
        return four
    return {"tokens": len(four[0]), "digest": digest([number for column in four for number in column])}


def listed_texts():
    return [list(item) if isinstance(item, tuple) else item for group in GROUPS for item in group]


def cases(tokenizer):
    tokenizer.no_truncation()
    tokenizer.no_padding()
    result = {
        "library": f"tokenizers {tokenizers.__version__}",
        "texts": [kept(tokenizer.encode(text)) for text in texts()],
        "words": [{"words": words, "tokens": kept(tokenizer.encode(words, is_pretokenized=True))} for words in PRESPLIT],
    }
    tokenizer.enable_truncation(7)
    result["truncated to 7"] = [kept(tokenizer.encode(text)) for text in texts()]
    tokenizer.no_truncation()
    return result


def variants(tokenizer):
    result = []
    for name, normalizer in NORMALIZERS.items():
        changed = Tokenizer.from_str(tokenizer.to_str())
        changed.normalizer = normalizer
        component = json.loads(changed.to_str())["normalizer"]
        encoded = [kept(changed.encode(text), always_digest=True) for text in texts()]
        result.append({"name": name, "normalizer": component, "texts": encoded})
    return result


def framed(tokenizer):
    ids = [(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ids
    )
    return tokenizer


def training_texts():
    prose = (HERE.parents[1] / "README.md").read_text() + (HERE.parents[1] / "docs" / "method.md").read_text()
    return [text[:80] for text in texts()] + prose.splitlines() * 2


def wordpiece():
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=1500, special_tokens=SPECIAL, limit_alphabet=400, show_progress=False)
    tokenizer.train_from_iterator(training_texts(), trainer)
    return framed(tokenizer)


def bpe():
    """The components of ModernBERT's tokenizer.json: NFC, ByteLevel, runs of spaces among the added tokens, a template."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=True, use_regex=True)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    first = ["|||IP_ADDRESS|||", "<|padding|>"]
    trainer = trainers.BpeTrainer(vocab_size=1500, special_tokens=first, initial_alphabet=alphabet, max_token_length=24, show_progress=False)
    tokenizer.train_from_iterator(training_texts(), trainer)
    plain = [" " * count for count in range(24, 1, -1)] + ["|||EMAIL_ADDRESS|||", "|||PHONE_NUMBER|||"]
    tokenizer.add_tokens([AddedToken(text, normalized=True, special=False) for text in plain])
    special = ["<|endoftext|>", "[UNK]", "[CLS]", "[SEP]", "[PAD]"]
    tokenizer.add_special_tokens([AddedToken(text, normalized=False, special=True) for text in special])
    tokenizer.add_special_tokens([AddedToken("[MASK]", lstrip=True, normalized=False, special=True)])
    tokenizer.add_tokens([AddedToken(f"[unused{i}]", normalized=True, special=False) for i in range(3)])
    return framed(tokenizer)


def vocab_txt(vocabulary):
    """What transformers' BertTokenizer puts together from a vocab.txt and these settings."""
    settings = {"do_lower_case": False, "tokenize_chinese_chars": False, "strip_accents": None, "mask_token": "[MASK]"}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False, handle_chinese_chars=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(SPECIAL)
    return framed(tokenizer), settings


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, separators=(",", ":")) + "\n")


def write_vocabulary(path, vocabulary):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(token + "\n" for token in sorted(vocabulary, key=vocabulary.get)))


def japanese():
    from transformers.models.bert_japanese.tokenization_bert_japanese import BertJapaneseTokenizer, MecabTokenizer

    sentences = [
        "\u5433\u8f29\u306f\u732b\u3067\u3042\u308b\u3002\u540d\u524d\u306f\u307e\u3060\u7121\u3044\u3002",
        "\u3059\u3082\u3082\u3082\u3082\u3082\u3082\u3082\u3082\u306e\u3046\u3061",
        "\u6771\u4eac\u90fd\u306b\u4f4f\u3093\u3067\u3044\u307e\u3059 [MASK] \u3067\u3059",
        "\uff76\uff9e\uff97\uff7d \uff21\uff22\uff23\u3000\uff11\uff12\uff13 \u33ff \u337f",  # half and full width, squares
        "\u304b\u3099\u304d\u3099 \u304c\u304e", "\U00020bb7\u91ce\u5bb6", "A\u03a3 \U0001d6baA \u0130", "", " \u3000 \n",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u3042" * 200,
    ]  # fmt: skip
    folder = OUT / "japanese"
    found = [word for text in sentences for word in MecabTokenizer(mecab_dic="unidic_lite").tokenize(text)]
    characters = sorted({c for word in found for c in word})
    tokens = SPECIAL + characters[: len(characters) * 3 // 4] + ["##" + c for c in characters] + sorted(set(found) - set(characters))
    settings = {
        "tokenizer_class": "BertJapaneseTokenizer", "do_lower_case": False, "word_tokenizer_type": "mecab",
        "subword_tokenizer_type": "wordpiece", "mecab_kwargs": {"mecab_dic": "unidic_lite"},
    }  # fmt: skip
    write_vocabulary(folder / "vocab.txt", {token: i for i, token in enumerate(tokens)})
    result = {"library": "transformers 5.22.2, fugashi 1.5.2, unidic-lite 1.0.8", "cases": []}
    for lower in (True, False):
        write(folder / "tokenizer_config.json", settings | {"do_lower_case": lower})
        tokenizer = BertJapaneseTokenizer.from_pretrained(folder)
        for text in sentences:
            result["cases"].append({"text": text, "do_lower_case": lower, "ids": tokenizer(text)["input_ids"]})
    write(folder / "cases.json", result)


def sentencepiece_model(path, **options):
    """With a small table of replacements: that of NFKC has 240 kB."""
    import sentencepiece

    rules = pathlib.Path("rules.tsv")  # in the current folder: the model keeps the path
    path.parent.mkdir(parents=True, exist_ok=True)
    pairs = [("\uff21", "A"), ("\ufb01", "fi"), ("\u00e9", "e\u0301"), ("\t", " "), ("\n", " "), ("\x01", ""), ("\u3000", " ")]
    as_hex = lambda text: " ".join(f"{ord(c):X}" for c in text)  # noqa: E731
    rules.write_text("".join(f"{as_hex(old)}\t{as_hex(new)}\n" for old, new in pairs))
    out = io.BytesIO()
    settings = {"vocab_size": 400, "hard_vocab_limit": False, "character_coverage": 0.98, "minloglevel": 2, "normalization_rule_tsv": str(rules)}
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(training_texts()[len(texts()) :]), model_writer=out, **(settings | options))
    path.write_bytes(out.getvalue())
    rules.unlink()


def deberta(folder):
    """By the converter, which follows sentencepiece; the tokenizer of transformers 5 leaves out the table of replacements."""
    from types import SimpleNamespace

    from transformers.convert_slow_tokenizer import DebertaV2Converter

    def id_of(token):
        return {"[CLS]": 1, "[SEP]": 2}[token]

    slow = SimpleNamespace(vocab_file=str(folder / "spm.model"), do_lower_case=False, split_by_punct=False, add_prefix_space=True, convert_tokens_to_ids=id_of)
    tokenizer = DebertaV2Converter(slow).converted()
    tokenizer.add_special_tokens(["[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]"])
    return tokenizer


def older_files():
    """Models without tokenizer.json, as transformers reads them."""
    from transformers import CamembertTokenizer, GPT2Tokenizer, LlamaTokenizer, RobertaTokenizer, XLMRobertaTokenizer

    sentencepiece_model(OUT / "xlm_roberta" / "sentencepiece.bpe.model")
    sentencepiece_model(OUT / "camembert" / "sentencepiece.bpe.model")
    sentencepiece_model(OUT / "llama" / "tokenizer.model", model_type="bpe", byte_fallback=True, vocab_size=600)
    names = {"pad": (0, "[PAD]"), "bos": (1, "[CLS]"), "eos": (2, "[SEP]"), "unk": (3, "[UNK]")}
    special = {f"{key}_{what}": value for key, pair in names.items() for what, value in zip(("id", "piece"), pair)}
    sentencepiece_model(OUT / "deberta" / "spm.model", **special)
    pair = Tokenizer.from_file(str(OUT / "bpe" / "tokenizer.json")).model
    for name in ("gpt2", "roberta"):
        (OUT / name).mkdir(parents=True, exist_ok=True)
        pair.save(str(OUT / name))
        vocabulary = json.loads((OUT / name / "vocab.json").read_text())
        for token in ("<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>"):
            vocabulary.setdefault(token, len(vocabulary))
        write(OUT / name / "vocab.json", vocabulary)
    classes = {"xlm_roberta": XLMRobertaTokenizer, "camembert": CamembertTokenizer, "llama": LlamaTokenizer, "gpt2": GPT2Tokenizer, "roberta": RobertaTokenizer}
    for name, kind in classes.items():
        write(OUT / name / "tokenizer_config.json", {"tokenizer_class": kind.__name__, "legacy": False} | ({"add_bos_token": True} if name == "llama" else {}))
        write(OUT / name / "cases.json", cases(kind.from_pretrained(OUT / name).backend_tokenizer))
    write(OUT / "deberta" / "tokenizer_config.json", {"tokenizer_class": "DebertaV2Tokenizer"})
    write(OUT / "deberta" / "cases.json", cases(deberta(OUT / "deberta")))


def main():
    write(OUT / "texts.json", listed_texts())
    piece, pair = wordpiece(), bpe()
    for name, tokenizer in {"wordpiece": piece, "bpe": pair}.items():
        (OUT / name).mkdir(parents=True, exist_ok=True)
        tokenizer.save(str(OUT / name / "tokenizer.json"), pretty=False)
        write(OUT / name / "cases.json", cases(tokenizer) | {"variants": variants(tokenizer)})
    vocabulary = piece.get_vocab()
    tokenizer, settings = vocab_txt(vocabulary)
    write_vocabulary(OUT / "vocab" / "vocab.txt", vocabulary)
    write(OUT / "vocab" / "tokenizer_config.json", settings)
    write(OUT / "vocab" / "cases.json", cases(tokenizer))
    write(OUT / "unicode.json", unicode_golden(digest))
    japanese()
    older_files()


if __name__ == "__main__":
    main()
