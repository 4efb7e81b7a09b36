"""One of the alternatives to the encoder, in a process of its own: cpu_peers.py NAME MODEL TOKENS LAYERS DTYPE THREADS

NAME is transformers, onnxruntime or openvino. Loads the model, cut after LAYERS layers, tries batch sizes on a part of
the batches, prints the best setting, and then, for every line it is sent, the seconds that all sentences take.
The sentences come sorted by length, padded to the longest of their batch.
"""

import os
import sys
import tempfile
import time

NAME, MODEL, TOKENS, LAYERS, DTYPE, THREADS = sys.argv[1:]
os.environ["OMP_NUM_THREADS"] = THREADS

import numpy as np  # noqa: E402  (the libraries read the environment when they are loaded)
import torch  # noqa: E402
from transformers import AutoConfig, AutoModel  # noqa: E402
from transformers.utils import logging  # noqa: E402

BATCHES = (8, 16, 32, 64, 128)
TRIAL = 4  # one batch in so many is tried


class Hidden(torch.nn.Module):
    """Nothing but the hidden states of the last layer."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        return self.model(input_ids, attention_mask=attention_mask).last_hidden_state


def torch_model(dtype=torch.float32):
    logging.set_verbosity_error()
    config = AutoConfig.from_pretrained(MODEL)
    config.num_hidden_layers = int(LAYERS)
    config.use_cache = False  # of decoders, which would keep what nothing asks for
    model = AutoModel.from_pretrained(MODEL, config=config, dtype=dtype).eval()
    if hasattr(model, "pooler"):
        model.pooler = None
    return Hidden(model)


def example():
    ids = torch.randint(1000, 2000, (4, 20))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def transformers():
    torch.set_num_threads(int(THREADS))
    model = torch_model(torch.bfloat16 if DTYPE == "bf16" else torch.float32)

    @torch.inference_mode()
    def run(batches):
        for ids, mask in batches:
            model(torch.from_numpy(ids), torch.from_numpy(mask))

    return {f"{model.model.config._attn_implementation}, ": run}


def onnxruntime():
    import onnxruntime as ort
    from onnxruntime.transformers import optimizer

    def session(path):
        options = ort.SessionOptions()
        options.intra_op_num_threads = int(THREADS)
        ready = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])

        def run(batches):
            for ids, mask in batches:
                ready.run(None, {"input_ids": ids, "attention_mask": mask})

        return run

    with tempfile.TemporaryDirectory() as folder:
        path, fused = f"{folder}/model.onnx", f"{folder}/fused.onnx"
        free = {0: torch.export.Dim.DYNAMIC, 1: torch.export.Dim.DYNAMIC}
        shapes = {"input_ids": free, "attention_mask": free}
        torch.onnx.export(torch_model(), (), path, kwargs=example(), dynamic_shapes=shapes, dynamo=True, verbose=False)
        optimizer.optimize_model(path, model_type="bert", num_heads=12, hidden_size=384, opt_level=1).save_model_to_file(fused)
        return {"": session(path), "optimized for BERT, ": session(fused)}


def openvino():
    import openvino as ov

    model = ov.convert_model(torch_model(), example_input=example())

    def compiled(streams):
        options = {"INFERENCE_PRECISION_HINT": DTYPE, "INFERENCE_NUM_THREADS": int(THREADS), "NUM_STREAMS": streams}
        queue = ov.AsyncInferQueue(ov.Core().compile_model(model, "CPU", options), streams)

        def run(batches):
            for ids, mask in batches:
                queue.start_async([ids, mask])
            queue.wait_all()

        return run

    return {f"{streams} streams, ": compiled(streams) for streams in sorted({1, int(THREADS)})}


def sentences():
    numbers = np.fromfile(TOKENS, np.int32)
    rows, at = [], 0
    while at < len(numbers):
        rows.append(numbers[at + 1 : at + 1 + numbers[at]])
        at += 1 + numbers[at]
    return sorted(rows, key=len)


def batches_of(rows, size):
    for i in range(0, len(rows), size):
        batch = rows[i : i + size]
        ids = np.zeros((len(batch), len(batch[-1])), np.int64)
        mask = np.zeros_like(ids)
        for row, ids_row, mask_row in zip(batch, ids, mask):
            ids_row[: len(row)] = row
            mask_row[: len(row)] = 1
        yield ids, mask


def seconds(run, batches):
    start = time.perf_counter()
    run(batches)
    return time.perf_counter() - start


def main():
    rows = sentences()
    trials = []
    for setting, run in {"transformers": transformers, "onnxruntime": onnxruntime, "openvino": openvino}[NAME]().items():
        for size in BATCHES:
            batches = list(batches_of(rows, size))
            batches = batches[(len(batches) - 1) // 2 % TRIAL :: TRIAL]
            tokens = sum(mask.sum() for _, mask in batches)
            run(batches[:1])
            trials.append((min(seconds(run, batches) for _ in range(2)) / tokens, setting, size, run))
    _, setting, size, run = min(trials, key=lambda trial: trial[0])
    batches = list(batches_of(rows, size))
    print(f"ready: {setting}batches of {size}", flush=True)
    for _ in sys.stdin:
        print(seconds(run, batches), flush=True)


if __name__ == "__main__":
    main()
