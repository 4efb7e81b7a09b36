"""Lines of the demo corpora (Debian packages bible-kjv, bible-kjv-text, debian-handbook, perl-doc), and random ones.

Tags and markup stay or go as is easiest: these are texts to compare tokenizers on, not corpora.
"""

import glob
import html
import os
import random
import re
import shutil
import subprocess

from hostile_texts import texts

HANDBOOK = "/usr/share/doc/debian-handbook/html/*/*.html"
PODS = "/usr/share/perl/*/pod/*.pod"


class Missing(Exception):
    """A package is not installed."""


def found(pattern, package):
    files = sorted(set(map(os.path.realpath, glob.glob(pattern))))  # a version may have two names
    if not files:
        raise Missing(f"{package} is not installed: apt-get install {package}")
    return files


def lines_of(files):
    for file in files:
        with open(file, encoding="utf-8", errors="replace") as stream:
            yield from stream.read().splitlines()


def without_tags(lines):
    return (html.unescape(re.sub("<[^>]*>", " ", line)) for line in lines)


def scripture():
    if not shutil.which("bible"):
        raise Missing("bible-kjv is not installed: apt-get install bible-kjv bible-kjv-text")
    return subprocess.run(["bible", "-f", "gen1:1-rev22:21"], capture_output=True, text=True, check=True).stdout.splitlines()


def manuals():
    english = found(HANDBOOK.replace("*/", "en-US/", 1), "debian-handbook")
    return [*without_tags(lines_of(english)), *lines_of(found(PODS, "perl-doc"))]


def languages():
    """The handbook in all its translations, from Arabic to Chinese; every tenth line."""
    return list(without_tags(lines_of(found(HANDBOOK, "debian-handbook"))))[::10]


BLOCKS = [
    (0, 0x80), (0x80, 0x250), (0x300, 0x370), (0x370, 0x600), (0x600, 0x1000), (0x1000, 0x1400), (0x1100, 0x1200), (0x1700, 0x1900),
    (0x1A00, 0x2000), (0x2000, 0x2100), (0x2E00, 0x3400), (0x3400, 0xA000), (0xA000, 0xAC00), (0xAC00, 0xD7B0), (0xE000, 0x10000),
    (0x10000, 0x20000), (0x1D100, 0x1D200), (0x1F000, 0x1FB00), (0x20000, 0x32000), (0xE0000, 0xE0200), (0xF0000, 0x110000),
]  # fmt: skip
MARKS = [*range(0x300, 0x370), 0x5B0, 0x654, 0x93C, 0xE38, 0xF71, 0xF72, 0xF73, 0x1161, 0x11A8, 0x302E, 0x3099, 0x1D165]
SHORT = [text for text in texts() if len(text) < 40]


def random_text(source):
    parts = []
    for _ in range(source.randint(0, 30)):
        kind = source.random()
        if kind < 0.35:
            parts.append(source.choice(SHORT))
        elif kind < 0.6:
            parts.append(chr(source.choice(MARKS)))
        else:
            parts.append(chr(source.randrange(*source.choice(BLOCKS))))
    return "".join(parts)


def hostile():
    """The list, and 20,000 random mixtures of it with marks and with characters of all kinds."""
    source = random.Random(5)
    return texts() + [random_text(source) for _ in range(20000)]


CORPORA = {"scripture": scripture, "manuals": manuals, "languages": languages, "hostile": hostile}
