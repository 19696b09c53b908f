"""Compares statements with literals with the same ones with Spark's own parameters.

python bound.py JARS FOLDER < [{"literal": SQL, "marked": SQL, "values": {NAME: TEXT OR NUMBER OR …}}, …]

Writes what both gave for each pair: the types of the only row and its values as JSON, or the error.
"""

import json
import sys

from session import start_session

spark = start_session(*sys.argv[1:])


def outcome(text, values=None):
    try:
        frame = spark.sql(text, args=values) if values is not None else spark.sql(text)
        types = [field.dataType.simpleString() for field in frame.schema.fields]
        # Python itself has no times near the first year.
        return [types, frame.toJSON().first()]
    except Exception as error:
        return str(error)


pairs = json.load(sys.stdin)
json.dump([[outcome(pair["literal"]), outcome(pair["marked"], pair["values"])] for pair in pairs], sys.stdout)
spark.stop()
