"""wherobots-python-sdk: the log of a job run, in each of the ways of reading it."""

from work import report, work

from wherobots import Job

job = Job("s3://acme-jobs/jobs/logs.py", "vendor-logs")


@work
def followed():
    """While the run goes on, until it ends."""
    lines = []
    job.submit()
    job.poll_for_logs(interval=0.2, log_handler=lines.append)
    return {"lines": [each["raw"] for each in lines], "status": job.status}


@work
def by_pages():
    return [each["raw"] for each in job.iter_logs()]


@work
def in_one_page():
    return [each["raw"] for each in job.iter_logs(size=1000)]


@work
def at_once():
    lines = []
    with Job.from_run_id(job.run_id) as attached:
        attached.poll_for_logs(follow=False, log_handler=lines.append)
    return [each["raw"] for each in lines]


report()
