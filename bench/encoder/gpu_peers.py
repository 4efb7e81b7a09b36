"""transformers on a GPU at its best, for gpu.py: bf16, ids on the device, sentences sorted by length.

Two ways of batching are tried, and the faster is taken: sentences of one length together, which need no mask, and
batches of neighbours, padded. Neither reading nor the vectors' way back to the host is counted.
"""
import itertools
import time

import torch
import transformers

transformers.logging.set_verbosity_error()  # or it lists the layers that a model was cut by
transformers.logging.disable_progress_bar()

BATCH_TOKENS = 65536
ROUNDS = 3


def fastest_attention():
    return "flash_attention_2" if transformers.utils.is_flash_attn_2_available() else "sdpa"


def attention(folder):
    """The fastest that there is for the model."""
    kind = transformers.MODEL_MAPPING[type(transformers.AutoConfig.from_pretrained(folder))]
    return fastest_attention() if kind._supports_sdpa else "eager"


def random_model(kind, config, folder, device="cuda"):
    """Saves a model with random weights in bfloat16, which is how published models come."""
    torch.manual_seed(0)
    with torch.device(device):
        model = kind(config).eval()
    model.to(torch.bfloat16).save_pretrained(folder)


def load(folder, layers, device="cuda", dtype=torch.bfloat16):
    """The model as transformers would be given it, cut off above the layer that is wanted."""
    config = transformers.AutoConfig.from_pretrained(folder)
    config.num_hidden_layers = layers
    config.use_cache = False  # of decoders, which would keep what nothing asks for
    if getattr(config, "layer_types", None):
        config.layer_types = config.layer_types[:layers]
    arguments = {"config": config, "dtype": dtype, "attn_implementation": attention(folder)}
    return transformers.AutoModel.from_pretrained(folder, **arguments).eval().to(device)


def padded(group):
    longest = max(len(sentence) for sentence in group)
    ids = torch.zeros((len(group), longest), dtype=torch.long)
    mask = torch.zeros((len(group), longest), dtype=torch.long)
    for row, sentence in enumerate(group):
        ids[row, : len(sentence)] = torch.tensor(sentence)
        mask[row, : len(sentence)] = 1
    inputs = {"input_ids": ids.cuda()}
    return inputs if bool(mask.all()) else {**inputs, "attention_mask": mask.cuda()}


def chunks(sentences):
    """Of neighbours, up to BATCH_TOKENS with the padding."""
    group = []
    for sentence in sentences:
        if group and (len(group) + 1) * len(sentence) > BATCH_TOKENS:
            yield group
            group = []
        group.append(sentence)
    yield group


def batchings(sentences):
    ordered = sorted(sentences, key=len)
    by_length = [list(group) for _, group in itertools.groupby(ordered, key=len)]
    return {
        "one length": [padded(chunk) for group in by_length for chunk in chunks(group)],
        "padded": [padded(chunk) for chunk in chunks(ordered)],
    }


@torch.inference_mode()
def seconds(model, batches):
    torch.cuda.synchronize()
    start = time.perf_counter()
    for batch in batches:
        model(**batch)
    torch.cuda.synchronize()
    return time.perf_counter() - start


def tokens_per_second(folder, layers, sentences):
    """(tokens per second, how they were batched)"""
    model = load(folder, layers)
    tokens = sum(len(sentence) for sentence in sentences)
    best = {}
    for name, batches in batchings(sentences).items():
        seconds(model, batches[: len(batches) // 4 + 1])
        best[name] = tokens / min(seconds(model, batches) for _ in range(ROUNDS))
    name = max(best, key=best.get)
    del model
    torch.cuda.empty_cache()
    return best[name], name
