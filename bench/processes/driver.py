"""wherobots-python-dbapi at work: executes a statement for each line of input, and says how long it took."""

import json
import sys
import time

import websockets.sync.client

from wherobots.db import connect
from wherobots.db.types import DataCompression, GeometryRepresentation

given = json.loads(sys.stdin.readline())

# The stand-in is without TLS, here as for n8n; the driver always wants a certificate.
secured = websockets.sync.client.connect
websockets.sync.client.connect = lambda **options: secured(**{**options, "ssl": None})

connection = connect(
    host=given["baseUrl"],
    api_key=given["apiKey"],
    data_compression=DataCompression.BROTLI,
    geometry_representation=GeometryRepresentation.WKT,
)

for line in sys.stdin:
    cpu, begun = time.process_time(), time.perf_counter()
    cursor = connection.cursor()
    cursor.execute(json.loads(line))
    frame = cursor.fetchall()
    frame_ms, frame_cpu = time.perf_counter() - begun, time.process_time() - cpu
    rows = frame.to_dict("records")
    ms, cpu = time.perf_counter() - begun, time.process_time() - cpu
    outcome = {
        "rows": len(rows),
        "first": {name: str(value) for name, value in rows[0].items()},
        "frame": {"ms": frame_ms * 1000, "cpuMs": frame_cpu * 1000},
        "objects": {"ms": ms * 1000, "cpuMs": cpu * 1000},
    }
    # What was made must not count for the next one.
    del cursor, frame, rows
    print(json.dumps(outcome), flush=True)

connection.close()
