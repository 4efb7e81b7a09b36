"""Texts that break tokenizers. Each entry is a text, or (a text, how often it is repeated).

Written with escapes wherever a reader could not see what is there.
"""

COMBINING = [
    "caf\u00e9 cafe\u0301 cafe\u0301\u0323 cafe\u0323\u0301",  # composed, decomposed, two marks in both orders
    "\u0301", "\u0301\u0301\u0301 a", " \u0301b", "a\u0345\u0334\u0301b\u0327\u0301",  # marks without a letter, sorted by class
    "o\u0302\u0323 \u1ed9 \u00f4\u0323",  # the same letter in three ways
    "\u0344 x\u0344", "\u0f71\u0f72\u0f73 \u0301\u0f73",  # marks that come apart into marks
    "Z\u0351\u036b\u0343\u036a\u0302A\u0334\u0335\u031cL\u0360G\u0321\u0353\u0332O!",
    "\u212b \u00c5 A\u030a", "\u0958 \u0915\u093c", "\u1e9b\u0323",  # singletons and exclusions
    "\u0928\u093f \u0ba8\u0bbf \u0d28\u0d3f", "\u0e01\u0e33 \u0e19\u0e49\u0e33",  # vowel signs that are, and are not, accents
    "\u302e\u3099\u304b\u3099 \u304c", "\u0915\u094d\u200d\u0937",
    "x\U00011938 \U00011935\U00011930", "\U0001d15e\U0001d165",  # newer and older musical and Dives Akuru
]  # fmt: skip
HANGUL_KANA_HAN = [
    "\ud55c\uad6d\uc5b4 \u1112\u1161\u11ab\u1100\u116e\u11a8", "\u1100\u1161\u11a8\u11a8 \uac00\u11a8",
    "\u65e5\u672c\u8a9e\u3068English\u306e\u6df7\u5728", "\u4e2d\u6587\uff0c\u6807\u70b9\uff01\u3002", "\u4e2da\u4e2d1\u4e2d",
    "\u30ab\u30bf\u30ab\u30ca \uff76\uff9e\uff85", "\U00020000\U0002b820\U0002b920\U0002ceb0 \uf900\ufa30",  # 2B820 is forgotten
    "\U00030000\U0002ebf0", "\u3007\u3005\u3006\u3400\u4dbf\u4dc0", "\ufa0e\u2f00\u3021",
]  # fmt: skip
EMOJI = [
    "\U0001f926\U0001f3fd\u200d\u2642\ufe0f ok", "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "\U0001f1e9\U0001f1ea\U0001f1eb", "1\ufe0f\u20e3 #\u20e3", "\u2764\ufe0f\u2764", "\U0001fae8\U0001fadf new",
    "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
]  # fmt: skip
CONTROLS = [
    "", " ", "   ", "\t\n\r\v\f", "\x00", "a\x00b", "a\x01\x02b\x7fc", "\x80\x85\x9f", "a\x85b", "x\x1c\x1d\x1e\x1fy",
    "a\u00adb soft\u00adhyphen", "\ufeffbom", "mid\ufeffdle", "zero\u200bwidth\u200cnon\u200djoiner", "\u2060\u2061\ufff9\ufffa\ufffb",
    "\u200elrm\u200frlm\u202aembed\u202c\u2066iso\u2069", "a\ufffdb", "\ufffd\ufffd", "\ue000\uf8ff\U000f0000\U0010fffd", "\ufdd0\uffff\U0010ffff",
    "line\u2028sep\u2029para", "nbsp\u00a0thin\u2009ideo\u3000ogham\u1680", "\u180e\u061c\u06dd\u0600", "\U000e0001\U000e0020",
]  # fmt: skip
CASE = [
    "\u0130stanbul I\u0307 \u0131", "\u03a3\u0391\u03a3 \u039f\u0394\u039f\u03a3 \u1fb3\u1fbc", "STRASSE \u1e9e \u00df", "\u01c4\u01c5\u01c6 \u01f2",
    "\u13a0\uab70 \u10a0\u2d00\u1c90", "\ua7cb\ua7dc\u1c89 \U00010d50\U00016ea0", "\U00010400\U0001e900", "\ufb01\ufb03 \u2126\u212a \u2160\u24b6 \uff21\uff42",
    "MixedCASE iPhone \u00c9T\u00c9", "\u00b5\u03bc \u017f\u1e61",
]  # fmt: skip
PUNCTUATION = [
    "don't I'll we're they've I'm he'd it's DON'T I'LL '' 's 'x '", "(a)[b]{c}<d>", "a--b---c", "...!?!", "$5 + 3% = ^_^ `x` ~y|z",
    "\u2018quoted\u2019 \u201cdouble\u201d \u00ab\u00bb \u2014\u2013\u2026", "\u166d \U000111c9 \u2e5d \U00010ead", "e.g. U.S.A. 3.14 1,000,000 50\u00a2",
    "##ing ## #hash @user user@host.example https://example.org/a?b=c&d", "\u0964\u061f\u3001\uff1a\u00b7\u2022", "a\u203fb_c\uff3fd",
]  # fmt: skip
NUMBERS = ["\u0663\u0664 \u0968\u0969 \u4e94\u5341 \u2167 \u00bd\u00b2\u2460", "007 1st 2nd x2 2x", "\U0001d7d8\U0001d7ff \U0001ccf0 \U00010d40"]
SPECIAL = [
    "[MASK]", " [MASK] ", "a  [MASK]  b", "[CLS][SEP]", "x[MASK]y", "[mask] [Mask]", "[UNK] [PAD][PAD]", "[MASK", "[[MASK]]", "[ MASK ]",
    "<|endoftext|> <|padding|>|||IP_ADDRESS||| |||EMAIL_ADDRESS|||", "[unused0] [unused1]", "  two   three    four", "\n\n  \n", " \t \t ",
    "end with spaces     ", "\u00a0\u00a0  \u3000", "                              thirty",
]  # fmt: skip
LONG = [
    ("a", 10000), ("ab", 100), ("a", 100), ("a", 101), ("\u8a9e", 10000), ("\u00e9", 10000), ("e\u0301", 5000), ("\u0301", 10000),
    (" ", 10000), (".", 10000), ("a ", 5000), ("\U0001f600", 2500), ("\uac00", 3333), ("the quick brown fox ", 500), ("0", 10000), ("'s", 5000),
]  # fmt: skip
PROSE = [
    "The quick brown fox jumps over the lazy dog.", "unaffable unaffordable antidisestablishmentarianism",
    "In the beginning God created the heaven and the earth.", "  leading and trailing  ", "tabs\tand\nnewlines\r\n",
    "Fran\u00e7ois \u00e0 la plage, \u0141\u00f3d\u017a, \u0110\u00e0 N\u1eb5ng, \u00de\u00f3r, S\u00f8ren", "\u041f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440 \u0451\u0439", "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd",
    "\u0645\u0631\u062d\u0628\u0627\u064b \u0628\u0640\u0640\u0643", "\u0b95\u0bbe \u0c15\u0c4b \u0cb2\u0cca", "\u1019\u103c\u1014\u103a\u1019\u102c", "\u0f56\u0f7c\u0f51\u0f0b",
]  # fmt: skip

GROUPS = [PROSE, COMBINING, HANGUL_KANA_HAN, EMOJI, CONTROLS, CASE, PUNCTUATION, NUMBERS, SPECIAL, LONG]


def texts():
    """All of them, spelled out."""
    pairs = (item if isinstance(item, tuple) else (item, 1) for group in GROUPS for item in group)
    return [text * times for text, times in pairs]
