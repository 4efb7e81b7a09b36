"""Makes what table.py's jobs read, one thing per call, always the same bytes on one machine:

    inputs.py clouds FILE.safetensors WORDS ROWS D
    inputs.py corpus FILE.txt TOKENIZER WORDS
    inputs.py model FOLDER TOKENIZER NAME        with random weights, of the size that bench/encoder/gpu.py calls NAME

TOKENIZER is the folder of any model with BERT's vocabulary.
"""

import concurrent.futures
import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
SEED = 1

# As in bench/engine/clouds.cc: clouds.h says what they resemble.
NOISE = 1.17
COSINE = 0.2
BREADTH_SPREAD = 0.05


def make_clouds(path, words, rows, d):
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the words are made in parallel
    import numpy
    from safetensors.numpy import save_file

    def normal(generator, *shape):
        return generator.standard_normal(shape, numpy.float32)

    def direction(generator):
        vector = normal(generator, d)
        return vector / numpy.linalg.norm(vector)

    shared = direction(numpy.random.default_rng(SEED))
    axes = 1 / numpy.sqrt(numpy.arange(1, d + 1, dtype=numpy.float32))
    axes /= numpy.linalg.norm(axes)
    turn = walsh_hadamard(numpy, d & -d)

    def cloud(index):
        generator = numpy.random.default_rng([SEED, index + 1])
        centre = COSINE**0.5 * shared + (1 - COSINE) ** 0.5 * direction(generator)
        scale = NOISE * numpy.exp(BREADTH_SPREAD / rows**0.5 * generator.standard_normal())
        noise = normal(generator, rows, d) * (numpy.float32(scale) * generator.permutation(axes))
        return (noise.reshape(-1, len(turn)) @ turn).reshape(rows, d) + centre

    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        clouds = list(pool.map(cloud, range(words)))
    save_file({name(index): rows for index, rows in enumerate(clouds)}, path)


def name(index):
    return f"w{index:05}"


def walsh_hadamard(numpy, size):
    """An orthogonal map that spreads every axis over `size` coordinates."""
    turn = numpy.ones((1, 1), numpy.float32)
    while len(turn) < size:
        turn = numpy.block([[turn, turn], [turn, -turn]])
    return turn / numpy.float32(size**0.5)


def make_corpus(path, tokenizer, words):
    import corpus

    corpus.write(path, tokenizer, words)


def make_model(folder, tokenizer, size):
    sys.path.append(str(HERE.parent / "encoder"))
    import gpu
    import gpu_peers
    import torch

    kind, config = gpu.MODELS[size]
    gpu_peers.random_model(kind, config, folder, "cuda" if torch.cuda.is_available() else "cpu")
    for file in ("vocab.txt", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        if (pathlib.Path(tokenizer) / file).exists():
            shutil.copy(pathlib.Path(tokenizer) / file, folder)


def main():
    kind, path, *rest = sys.argv[1:]
    make = {"clouds": make_clouds, "corpus": make_corpus, "model": make_model}[kind]
    make(path, *(int(word) if word.isdigit() else word for word in rest))


if __name__ == "__main__":
    main()
