"""What Python's `tokenizers` takes every character of Unicode for, found out by asking it about each."""

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers

CHARACTERS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
BLOCK = 0x1000
WORD = Regex(r"\w")


def ranges(characters):
    """[first, last] of every run."""
    runs = []
    for c in characters:
        if runs and runs[-1][1] == c - 1:
            runs[-1][1] = c
        else:
            runs.append([c, c])
    return runs


def where(holds):
    return ranges(c for c in CHARACTERS if holds(chr(c)))


def bert(**only):
    settings = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False, "lowercase": False}
    return normalizers.BertNormalizer(**(settings | only)).normalize_str


def word_characters():
    """A token that must stand alone is not found beside them."""
    tokenizer = Tokenizer(models.WordLevel({"?": 0}, unk_token="?"))
    tokenizer.add_tokens([AddedToken("xx", single_word=True, normalized=False)])
    return where(lambda c: 1 not in tokenizer.encode(c + "xx").ids)


def digests(changed, digest):
    """By block of 4,096: a digest of every character with what becomes of it; blocks where nothing changes are left out."""
    result = {}
    for first in range(0, 0x110000, BLOCK):
        pairs = [(c, changed(chr(c))) for c in range(first, first + BLOCK) if not 0xD800 <= c < 0xE000]
        if any(text != chr(c) for c, text in pairs):
            result[f"{first:x}"] = digest([number for c, text in pairs for number in [c, len(text), *map(ord, text)]])
    return result


def of_the_same_script():
    """Gives the first character that is not cut apart from another, or nothing for one that never is."""
    cut = pre_tokenizers.UnicodeScripts().pre_tokenize_str
    firsts = []

    def first(c):
        if not cut(c):
            return ""
        found = next((other for other in firsts if len(cut(other + c)) == 1), None)
        if found is None:
            found = c
        else:
            firsts.remove(found)
        firsts.insert(0, found)  # the next character is likely to be of the same script
        return found

    return first


def unicode_golden(digest):
    clean, chinese, strip = bert(clean_text=True), bert(handle_chinese_chars=True), bert(strip_accents=True)
    nfd = normalizers.NFD().normalize_str
    bert_split = pre_tokenizers.BertPreTokenizer().pre_tokenize_str
    byte_split = pre_tokenizers.ByteLevel(add_prefix_space=False).pre_tokenize_str
    joins = lambda text: len(byte_split(text)) == 1  # noqa: E731
    forms = {name: getattr(normalizers, name)().normalize_str for name in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase")}
    # Marks of class 240 before and 1 behind: how the character is ordered among marks, if at all.
    forms["NFD among marks"] = lambda c: nfd("a\u0345" + c + "\u0334")
    forms["script"] = of_the_same_script()
    return {
        "whitespace": where(lambda c: [part for part, _ in bert_split("a" + c + "b")] == ["a", "b"]),
        "removed by cleaning": where(lambda c: clean("a" + c + "b") == "ab"),
        "punctuation": where(lambda c: len(bert_split("a" + c + "b")) == 3),
        "combining marks": where(lambda c: normalizers.StripAccents().normalize_str(c) == ""),
        "digits": where(lambda c: len(pre_tokenizers.Digits(individual_digits=True).pre_tokenize_str("a" + c + "b")) == 3),
        "word characters of expressions": where(lambda c: len(pre_tokenizers.Split(WORD, "removed").pre_tokenize_str(c)) == 0),
        "chinese": where(lambda c: chinese(c) != c),
        "nonspacing marks": where(lambda c: nfd(c) == c and strip(c) == ""),
        "letters": where(lambda c: joins("a" + c)),
        "numbers": where(lambda c: joins("1" + c)),
        "word characters": word_characters(),
        "digests": {name: digests(form, digest) for name, form in forms.items()},
    }
