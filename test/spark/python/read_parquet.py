"""Reads Parquet files with pyarrow, without Spark: their rows, and what they say of their geometries."""

import json
import sys

import pyarrow.parquet as parquet


def read(path):
    table = parquet.read_table(path)
    metadata = table.schema.metadata or {}
    return {
        "geo": json.loads(metadata.get(b"geo", b"null")),
        "rows": [
            {name: value.hex() if isinstance(value, bytes) else value for name, value in row.items()}
            for row in table.to_pylist()
        ],
    }


json.dump([read(path) for path in json.load(sys.stdin)], sys.stdout, default=str)
