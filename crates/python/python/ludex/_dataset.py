"""Files that ``ludex dataset`` writes: rows, and Arrow tables and Parquet files of them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from ._errors import LudexError

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-not-found,unused-ignore]

#: Rows that are turned into columns at a time.
_CHUNK = 65_536


def _unpacked(file: BinaryIO) -> BinaryIO:
    """A stream of what is compressed with zstd, by the standard library, PyArrow or zstandard, whichever is there."""
    if sys.version_info >= (3, 14):
        from compression import zstd

        return cast(BinaryIO, zstd.ZstdFile(file))
    try:
        import pyarrow
    except ImportError:
        pass
    else:
        return cast(BinaryIO, io.BufferedReader(pyarrow.CompressedInputStream(file, "zstd")))
    try:
        import zstandard  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        hint = "pip install pyarrow or zstandard, use Python 3.14, or unpack it with zstd -d"
        raise LudexError("failed", "a file that ends with .zst needs a library to unpack it", hint) from None
    return cast(BinaryIO, zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True))


def read_dataset(path: str | PathLike[str], split: str | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a file that ``ludex dataset --out FILE.jsonl`` or ``FILE.jsonl.zst`` wrote, one by one.

    With ``split="train"`` or ``split="test"`` only those of that part. The fields are those of the machine interface:
    ``position``, ``to_move``, ``outcome``, ``plies``, ``score``, ``difficulty``, ``best``, ``moves`` and so on.
    """
    name = fspath(path)
    if not name.removesuffix(".zst").endswith(".jsonl"):
        hint = "a file that ends with .jsonl or .jsonl.zst; CSV is read by csv, pandas or polars"
        raise LudexError("bad_file", f"{name} is no file of JSON lines", hint)
    if split not in (None, "train", "test"):
        raise LudexError("bad_arguments", f"there is no part {split!r}", "train or test")
    with open(name, "rb") as file:
        stream = _unpacked(file) if name.endswith(".zst") else file
        for number, line in enumerate(io.TextIOWrapper(stream, encoding="utf-8"), 1):
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not isinstance(row, dict) or row.get("type") != "dataset_row":
                raise LudexError("damaged", f"line {number} of {name} is no row of a dataset", "write it again")
            if split is None or row.get("split") == split:
                yield cast("dict[str, Any]", row)


def _schema() -> Any:
    import pyarrow as pa

    value = pa.struct([("outcome", pa.string()), ("plies", pa.int32())])
    bounds = [("lower", value), ("upper", value)]
    worth = [("outcome", pa.string()), ("plies", pa.int32()), ("score", pa.int32())]
    move = pa.struct([("move", pa.string()), *worth, *bounds])
    return pa.schema(
        [
            ("game", pa.string()),
            ("position", pa.string()),
            ("to_move", pa.string()),
            ("split", pa.string()),
            ("status", pa.string()),
            *worth,
            ("difficulty", pa.float64()),
            *bounds,
            ("best", pa.list_(pa.string())),
            ("moves", pa.list_(move)),
        ]
    )


def _batches(path: str | PathLike[str], split: str | None) -> Iterator[Any]:
    import pyarrow as pa

    schema, rows = _schema(), []
    for row in read_dataset(path, split):
        rows.append(row)
        if len(rows) == _CHUNK:
            yield pa.RecordBatch.from_pylist(rows, schema=schema)
            rows = []
    yield pa.RecordBatch.from_pylist(rows, schema=schema)


def dataset_table(path: str | PathLike[str], split: str | None = None) -> pyarrow.Table:
    """The rows of a dataset as an Arrow table, from which pandas, polars and others make theirs without a copy.

    ``moves`` is a list of structs; values of which only bounds are known have them in ``lower`` and ``upper``. Needs PyArrow.
    """
    import pyarrow as pa

    return pa.Table.from_batches(list(_batches(path, split)), schema=_schema())


def dataset_to_parquet(path: str | PathLike[str], out: str | PathLike[str], split: str | None = None) -> int:
    """Write a dataset as a Parquet file, some rows at a time, and return their number. Needs PyArrow."""
    import pyarrow.parquet as pq

    count = 0
    with pq.ParquetWriter(fspath(out), _schema(), compression="zstd") as writer:
        for batch in _batches(path, split):
            writer.write_batch(batch)
            count += batch.num_rows
    return count
