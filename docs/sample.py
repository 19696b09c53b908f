# A first job: prints a point. With the argument "fail", it fails.
import sys

from sedona.spark import SedonaContext

sedona = SedonaContext.create(SedonaContext.builder().getOrCreate())
if "fail" in sys.argv:
    raise ValueError("this run was asked to fail")
sedona.sql("SELECT ST_AsText(ST_Point(13.4, 52.5)) AS berlin").show(truncate=False)
