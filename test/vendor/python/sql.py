"""wherobots-python-dbapi: sessions and statements."""

import logging
import os
import threading
import time

from work import report, work

from wherobots.db import Store, StorageFormat, connect
from wherobots.db.types import GeometryRepresentation, ResultsFormat

log = []


class Lines(logging.Handler):
    def emit(self, record):
        log.append(record.getMessage())


logging.basicConfig(level=logging.INFO, handlers=[Lines()])


def connected(**options):
    host, key = os.environ["WHEROBOTS_HOST"], os.environ["WHEROBOTS_API_KEY"]
    return connect(host=host, api_key=key, **options)


def rows(frame):
    """A result: its columns, and each value as Python shows it."""
    return {
        "columns": list(frame.columns),
        "rows": [[str(value) for value in row] for row in frame.itertuples(index=False)],
    }


def executed(statement, connection=None, **options):
    cursor = (connection or shared).cursor()
    cursor.execute(statement, **options)
    result = cursor.fetchall()
    return result if result is None else rows(result)


shared = connected(runtime="tiny", region="aws-us-west-2")


@work
def session():
    """Which requests share a session."""
    same = connected(runtime="tiny", region="aws-us-west-2")
    keyed = connected(runtime="tiny", region="aws-us-west-2", session_key="night")
    longer = connected(runtime="tiny", region="aws-us-west-2", shutdown_after_inactive_seconds=1200)
    new = connected(runtime="tiny", region="aws-us-west-2", force_new=True)
    by_default = connected()
    every = [shared, same, keyed, longer, new, by_default]
    first = [[each.session_id for each in every].index(each.session_id) for each in every]
    for each in every[1:]:
        each.close()
    return {"fallback": shared.session_fallback, "first": first}


@work
def types():
    return executed("SELECT * FROM types")


@work
def geometries():
    found = {}
    for kind in [None, *GeometryRepresentation]:
        with connected(runtime="tiny", region="aws-us-west-2", geometry_representation=kind) as each:
            found[str(kind)] = executed("SELECT * FROM places", each)["rows"][0][0]
    return found


@work
def nothing_found():
    return executed("SELECT * FROM empty")


@work
def without_result():
    return executed("CREATE TABLE t (id int)")


@work
def parameters():
    statement = "SELECT * FROM t WHERE name = %(name)s AND id = %(id)s"
    return executed(statement, parameters={"name": "O'Brien", "id": 7})


@work
def failed():
    return executed("SELECT * FROM nowhere")


@work
def stored():
    cursor = shared.cursor()
    cursor.execute("SELECT * FROM t", store=Store.for_download(StorageFormat.CSV))
    found = cursor.get_store_result()
    return {"size": found.size, "uri": found.result_uri.split("?")[0].rsplit("/", 1)[-1]}


@work
def stored_nothing():
    cursor = shared.cursor()
    cursor.execute("SELECT * FROM empty", store=Store.for_download())
    return {"stored": cursor.get_store_result()}


@work
def cancelled():
    cursor = shared.cursor()
    cursor.execute("SELECT slow")
    threading.Timer(0.3, cursor.close).start()
    return rows(cursor.fetchall())


@work
def progress():
    told = []
    with connected(runtime="tiny", region="aws-us-west-2") as connection:
        connection.set_progress_handler(told.append)
        executed("SELECT progress", connection)
    return [[each.tasks_completed, each.tasks_total, each.tasks_active] for each in told]


@work
def thirty_in_turn():
    return [executed("SELECT * FROM t")["rows"] for _ in range(30)]


@work
def ten_at_once():
    cursors = [shared.cursor() for _ in range(10)]
    for cursor in cursors:
        cursor.execute("SELECT * FROM t")
    return [rows(cursor.fetchall())["rows"] for cursor in reversed(cursors)]


@work
def cut_while_running():
    return executed("SELECT cut")


@work
def cut_before_the_result():
    return executed("SELECT late cut")


@work
def silent():
    """The end is not told; after a while the driver asks for it."""
    options = {"stale_query_probe_seconds": 0.5}
    with connected(runtime="tiny", region="aws-us-west-2", **options) as connection:
        return executed("SELECT silent", connection)["rows"]


@work
def as_json():
    options = {"results_format": ResultsFormat.JSON}
    with connected(runtime="tiny", region="aws-us-west-2", **options) as connection:
        return executed("SELECT * FROM t", connection)


@work
def reconnected():
    return len([line for line in log if "reconnecting" in line])


shared.close()
report()
