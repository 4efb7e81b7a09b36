"""Pictures of notebook cells for the documentation, docs/figures/notebook_*.png: python screenshots.py

Needs nbconvert, Pillow and Chromium, beside what run.py needs; takes the outputs that the notebooks have.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from PIL import Image, ImageChops

HERE = Path(__file__).resolve().parent
FIGURES = HERE.parents[1] / "docs" / "figures"
# The picture, the notebook, and what the cell that it shows contains.
PICTURES = [
    ("test", "tour", "null_distribution=True"),
    ("ranking", "tour", "wb.plot.ranking"),
    ("clouds", "tour", "wb.plot.clouds"),
    ("volcano", "two_corpora", "wb.plot.volcano"),
]
WIDTH, HEIGHT, MARGIN = 1000, 1400, 24


def picture(notebook: str, contains: str) -> Image.Image:
    """The first such cell as Jupyter shows it."""
    whole = nbformat.read(HERE / f"{notebook}.ipynb", as_version=4)
    whole.cells = [next(cell for cell in whole.cells if cell.cell_type == "code" and contains in cell.source)]
    page, _ = HTMLExporter().from_notebook_node(whole)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "page.html").write_text(page, encoding="utf-8")
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={WIDTH},{HEIGHT}",
             f"--screenshot={folder}/page.png", f"{folder}/page.html"],
            check=True, capture_output=True,
        )  # fmt: skip
        return Image.open(f"{folder}/page.png").convert("RGB")


def trimmed(image: Image.Image) -> Image.Image:
    box = ImageChops.difference(image, Image.new("RGB", image.size, "white")).getbbox()
    return image.crop((0, 0, min(image.width, box[2] + MARGIN), min(image.height, box[3] + MARGIN)))


if __name__ == "__main__":
    for name, notebook, contains in PICTURES:
        path = FIGURES / f"notebook_{name}.png"
        trimmed(picture(notebook, contains)).save(path, optimize=True)
        print(f"{path.name}: {path.stat().st_size / 1024:.0f} KiB")
