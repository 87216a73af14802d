"""The notebook runs from its first cell to its last."""

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebook(file: Path) -> None:
    pytest.importorskip("ipykernel")
    nbclient = pytest.importorskip("nbclient")
    import nbformat

    notebook = nbformat.read(file, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    shown = [output.data for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs if "data" in output]
    assert sum("image/svg+xml" in shape for shape in shown) >= 3
