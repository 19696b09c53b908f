"""SQL sessions of the service on a real Spark with Sedona and Iceberg.

python service.py JARS FOLDER

Prints its address when it is ready, and ends when its standard input does. Any key is accepted. What a
client can ask for is what published clients ask for: rows as Arrow or JSON, plain or with gzip, stored
files, cancellation, and `attach` after a lost connection.
"""

import asyncio
import glob
import gzip
import json
import os
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor

import cbor2
import pyarrow
from aiohttp import WSMsgType, web
from pyspark.sql.pandas.types import to_arrow_schema

from session import start_session

JARS, FOLDER = sys.argv[1:]
FILES = os.path.join(FOLDER, "files")
MAX_ROWS = 1000
GEOMETRY = {
    "wkt": "ST_AsText",
    "ewkt": "ST_AsEWKT",
    "geojson": "ST_AsGeoJSON",
    "wkb": "ST_AsBinary",
    "ewkb": "ST_AsEWKB",
}

spark = start_session(JARS, FOLDER, {"spark.sql.jsonGenerator.ignoreNullFields": "false"})
pool = ThreadPoolExecutor(4)
sessions = {}
routes = web.RouteTableDef()


def quoted(name):
    return "`" + name.replace("`", "``") + "`"


def geometries_of(frame):
    """Where the geometry columns are, by Spark itself: Sedona's package for Python is not installed."""
    fields = json.loads(frame._jdf.schema().json())["fields"]
    return [at for at, field in enumerate(fields) if "GeometryUDT" in str(field["type"])]


class Execution:
    """A statement. Its events go to the connection that sent it or attached to it last."""

    def __init__(self, message, socket):
        self.id = message["execution_id"]
        self.statement = message["statement"]
        self.store = message.get("store")
        self.socket = socket
        self.state = "pending"
        self.stored = {}
        self.is_cancelled = False
        self.frame = None

    async def tell(self, **event):
        if not self.socket.closed:
            await self.socket.send_str(json.dumps({"execution_id": self.id, **event}))

    async def enter(self, state, **more):
        self.state = state
        await self.tell(kind="state_updated", state=state, **more)

    async def run(self):
        await self.enter("running")
        try:
            await asyncio.get_running_loop().run_in_executor(pool, self.work)
        except Exception as error:
            if self.is_cancelled:
                return await self.enter("cancelled")
            await self.enter("failed")
            cause = getattr(error, "java_exception", None)
            return await self.tell(kind="error", message=cause.toString() if cause else str(error))
        await self.enter("succeeded", **self.stored)

    def work(self):
        spark.sparkContext.setJobGroup(self.id, self.id, True)
        frame = spark.sql(self.statement)
        names = list(frame._jdf.columns())
        # Two columns may have one name.
        self.frame = frame.toDF(*[f"c{at}" for at in range(len(names))])
        self.names = names
        if self.store:
            self.stored = self.write(frame)
        elif names:
            # A query runs here, so that its errors are the statement's.
            self.frame = self.frame.limit(MAX_ROWS).localCheckpoint()

    def write(self, frame):
        if frame.isEmpty():
            return {"result_uri": None, "size": None}
        kind = self.store.get("format", "parquet")
        if kind == "parquet" and geometries_of(frame):
            kind = "geoparquet"
        writer = frame.coalesce(1).write.format(kind)
        for name, value in (self.store.get("options") or {}).items():
            writer = writer.option(name, value)
        folder = os.path.join(FILES, self.id)
        writer.save(folder)
        [part] = glob.glob(os.path.join(folder, "part-*"))
        return {"result_uri": f"{address()}/files/{os.path.relpath(part, FILES)}", "size": os.path.getsize(part)}

    def results(self, message):
        """The rows in the form that was asked for; None for a statement without any."""
        if not self.names:
            return None
        geometry = message.get("geometry", "ewkt")
        geometries = geometries_of(self.frame)
        shown = self.frame.selectExpr(
            *[f"{GEOMETRY[geometry]}(c{at}) AS c{at}" if at in geometries else f"c{at}" for at in range(len(self.names))]
        )
        is_json = message.get("format") == "json"
        data = self.as_json(shown) if is_json else self.as_arrow(shown)
        is_packed = message.get("compression") == "gzip"
        return {
            "result_bytes": gzip.compress(data) if is_packed else data,
            "format": "json" if is_json else "arrow",
            "compression": "gzip" if is_packed else "none",
            "geometry": geometry,
            "geo_columns": [self.names[at] for at in geometries],
        }

    def as_json(self, shown):
        if len(set(self.names)) == len(self.names):
            shown = shown.toDF(*self.names)
        return ("[" + ",".join(shown.toJSON().collect()) + "]").encode()

    def as_arrow(self, shown):
        schema = to_arrow_schema(shown.schema)
        batches = shown._collect_as_arrow()
        table = pyarrow.Table.from_batches(batches, schema=batches[0].schema if batches else schema)
        table = table.rename_columns(self.names)
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        return sink.getvalue().to_pybytes()


async def retrieve(execution, message, socket):
    eid = message["execution_id"]
    if execution is None:
        text = {"kind": "error", "execution_id": eid, "message": f"Execution not found: {eid}"}
        return await socket.send_str(json.dumps(text))
    answer = {"kind": "execution_result", "execution_id": eid, "state": execution.state, "results": None}
    if message.get("attach"):
        execution.socket = socket
        answer["attached"] = True
    if execution.state == "succeeded":
        answer.update(execution.stored)
        if not execution.store:
            try:
                work = asyncio.get_running_loop().run_in_executor(pool, execution.results, message)
                answer["results"] = await work
            except Exception as error:
                return await execution.tell(kind="error", message=str(error))
    await socket.send_bytes(cbor2.dumps(answer))


def address():
    return f"http://127.0.0.1:{app['port']}"


@routes.post("/sql/session")
async def create_session(request):
    sid = str(uuid.uuid4())
    sessions[sid] = {}
    return web.Response(status=303, headers={"location": f"/sql/session/{sid}"}, text="null")


@routes.get("/sql/session/{id}")
async def get_session(request):
    sid = request.match_info["id"]
    return web.json_response(
        {
            "id": sid,
            "status": "READY",
            "createTime": "2026-01-01T00:00:00Z",
            "regionName": "aws-us-west-2",
            "appMeta": {"url": f"{address()}/sql/{sid}", "resolved_version": spark.version},
            "apiPayload": {},
            "events": [],
        }
        if sid in sessions
        else None
    )


@routes.get("/files/{path:.+}")
async def get_file(request):
    return web.FileResponse(os.path.join(FILES, request.match_info["path"]))


@routes.get("/sql/{id}/{version}")
async def connect(request):
    socket = web.WebSocketResponse(max_msg_size=100 * 2**20)
    await socket.prepare(request)
    executions = sessions[request.match_info["id"]]
    async for frame in socket:
        if frame.type != WSMsgType.TEXT:
            continue
        message = json.loads(frame.data)
        execution = executions.get(message["execution_id"])
        if message["kind"] == "execute_sql":
            execution = executions[message["execution_id"]] = Execution(message, socket)
            asyncio.ensure_future(execution.run())
        elif message["kind"] == "retrieve_results":
            asyncio.ensure_future(retrieve(execution, message, socket))
        elif message["kind"] == "cancel" and execution and execution.state == "running":
            execution.is_cancelled = True
            spark.sparkContext.cancelJobGroup(execution.id)
    return socket


async def main():
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    app["port"] = site._server.sockets[0].getsockname()[1]
    print(address(), flush=True)
    # Whoever started this closes it, or has ended.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    os._exit(0)


app = web.Application(client_max_size=100 * 2**20)
app.add_routes(routes)
asyncio.run(main())
