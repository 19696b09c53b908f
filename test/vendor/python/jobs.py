"""wherobots-python-sdk: job runs."""

from work import outcome_of, report, work

from wherobots import Job, JobStatus, Region, Runtime, WherobotsTimeoutError

PYTHON = "s3://acme-jobs/jobs/nightly_etl.py"


def ended(job):
    """Waits for a job without its log."""
    return job.wait_for_completion(poll_interval=0.2, stream_logs=False, max_wait_seconds=60)


@work
def by_default():
    """Neither region nor runtime, as all newer clients leave them out."""
    with Job(PYTHON, "vendor-default") as job:
        job.submit()
        view = job.get_status()
        return {
            "attributed": view.triggered_by is not None,
            "environment": view.environment,
            "id": len(view.id),
            "python": view.run_python,
            "runtime": view.runtime,
            "seconds": view.timeout_seconds,
            "status": ended(job),
            "version": view.version,
        }


@work
def in_full():
    """Everything that a job can be given."""
    with Job(
        PYTHON,
        "vendor-full",
        runtime=Runtime.SMALL,
        region=Region.EU_WEST_1,
        version="preview",
        timeout_seconds=600,
        args=["--date", "2026-11-25"],
        spark_configs={"spark.sql.shuffle.partitions": "400"},
        dependencies=[
            Job.add_pypi_dependency("rasterio", "1.4.3"),
            Job.add_file_dependency("s3://acme-jobs/lib/common.whl"),
        ],
        spark_driver_disk_gb=100,
        spark_executor_disk_gb=0,
    ) as job:
        job.submit()
        view = job.get_status()
        return {
            "environment": view.environment,
            "python": view.run_python,
            "region": view.kube_app.region_name,
            "runtime": view.runtime,
            "version": view.version,
        }


@work
def spark_settings_alone():
    with Job(PYTHON, "vendor-spark", spark_configs={"spark.ui.enabled": "false"}) as job:
        job.submit()
        return job.get_status().environment.spark_configs


@work
def of_any_version():
    with Job(PYTHON, "vendor-version", version="1.2.3") as job:
        job.submit()
        return job.get_status().version


@work
def a_jar():
    jar = "s3://acme-jobs/lib/job.jar"
    with Job(jar, "vendor-jar", jar_main_class="com.acme.Job", args=["a"]) as job:
        job.submit()
        return job.get_status().run_jar


@work
def completed():
    """Waits for the end while the log is printed."""
    with Job(PYTHON, "vendor-complete") as job:
        job.submit()
        status = job.wait_for_completion(log_interval=0.2, max_wait_seconds=60)
        return {"id": job.run_id, "status": status}


def attached():
    """The run of `completed`, by its ID alone."""
    return Job.from_run_id(outcome_of(completed)["id"])


@work
def attached_to():
    with attached() as job:
        return {"name": job.name, "runtime": job.runtime, "status": job.status}


@work
def measured():
    with attached() as job:
        return {
            "cost": job.get_cost(),
            "cpu": job.get_cpu_utilization(),
            "memory": job.get_mem_utilization(),
            "units": job.get_consumed_spatial_units(),
        }


@work
def failed():
    with Job("s3://acme-jobs/jobs/fail.py", "vendor-fail") as job:
        job.submit()
        status = ended(job)
        return {"message": job.get_status().kube_app.message, "status": status}


@work
def timed_out():
    with Job("s3://acme-jobs/jobs/timeout.py", "vendor-timeout") as job:
        job.submit()
        try:
            return job.wait_for_completion(0.2, stream_logs=False, max_wait_seconds=5)
        except WherobotsTimeoutError:
            return {"still_waits_for": job.status}


@work
def cancelled():
    with Job("s3://acme-jobs/jobs/slow.py", "vendor-slow") as job:
        job.submit()
        asked = job.cancel()
        return {"asked": asked, "status": ended(job)}


@work
def cancelled_too_late():
    with attached() as job:
        return job.cancel()


@work
def listed():
    """By page, and by each filter."""

    def names(**filters):
        return [view.name for view in Job.list_runs(**filters).items]

    first = Job.list_runs(size=4)
    second = Job.list_runs(size=4, cursor=first.cursor)
    return {
        "after": names(name_pattern="vendor-*", created_after="2999-01-01T00:00:00Z"),
        "pages": [len({view.id for page in (first, second) for view in page.items}), first.total],
        "pattern": sorted(names(name_pattern="vendor-*", size=500)),
        "region": names(region="aws-eu-west-1", name_pattern="vendor-*"),
        "statuses": sorted(
            names(name_pattern="vendor-*", status=[JobStatus.FAILED, JobStatus.CANCELLED])
        ),
        "whole": names(name_pattern="vendor-jar"),
    }


@work
def unknown_run():
    try:
        Job.from_run_id("no-such-run")
    except Exception as error:
        return {"request": len(error.request_id), "status": error.status_code}


@work
def wrong_key():
    Job.list_runs(api_key="wrong")


report()
