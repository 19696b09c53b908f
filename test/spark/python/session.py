"""A Spark in this process, with Sedona and an Iceberg catalog `ice`; all that it writes is in one folder."""

import glob
import os


def start_session(jars, folder, settings=None):
    """jars: the folder of those of Sedona and Iceberg. folder: an empty one, for tables and temporary files."""
    from pyspark.sql import SparkSession

    builder = (
        SparkSession.builder.master("local[2]")
        .appName("test")
        .config("spark.jars", ",".join(glob.glob(os.path.join(jars, "*.jar"))))
        .config("spark.driver.memory", "2g")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.local.dir", os.path.join(folder, "local"))
        .config("spark.sql.warehouse.dir", os.path.join(folder, "spark"))
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config(
            "spark.sql.extensions",
            "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,"
            "org.apache.sedona.sql.SedonaSqlExtensions",
        )
        .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
        .config("spark.kryo.registrator", "org.apache.sedona.core.serde.SedonaKryoRegistrator")
        .config("spark.sql.catalog.ice", "org.apache.iceberg.spark.SparkCatalog")
        .config("spark.sql.catalog.ice.type", "hadoop")
        .config("spark.sql.catalog.ice.warehouse", os.path.join(folder, "ice"))
        # s3://bucket is a folder.
        .config("spark.hadoop.fs.s3.impl", "org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme")
        .config("spark.hadoop.fs.viewfs.overload.scheme.target.file.impl", "org.apache.hadoop.fs.LocalFileSystem")
        .config("spark.hadoop.fs.viewfs.mounttable.bucket.linkFallback", f"file://{os.path.join(folder, 'bucket')}")
    )
    os.makedirs(os.path.join(folder, "bucket"), exist_ok=True)
    for name, value in (settings or {}).items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
