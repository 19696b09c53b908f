"""harlequin-wherobots: the connection behind the editor, without its window."""

import os

from work import report, work

from harlequin_wherobots.adapter import HarlequinWherobotsConnection

# The adapter itself puts "api." before a host, so its connection is made here.
connection = HarlequinWherobotsConnection(
    host=os.environ["WHEROBOTS_HOST"],
    api_key=os.environ["WHEROBOTS_API_KEY"],
    runtime="TINY",
    region="AWS_US_WEST_2",
)


@work
def query():
    cursor = connection.execute("SELECT * FROM t")
    table = cursor.fetchall()
    return {"columns": cursor.columns(), "rows": table.to_pylist()}


@work
def failed():
    connection.execute("SELECT * FROM nowhere").fetchall()


def tree(items):
    return {each.label: tree(each.children) or each.type_label for each in items}


@work
def catalog():
    return tree(connection.get_catalog().items)


connection.close()
report()
