"""airflow-providers-wherobots: the operator of job runs."""

import logging
import threading
import time

from work import report, work

from airflow_providers_wherobots.hooks.rest_api import WherobotsRestAPIHook
from airflow_providers_wherobots.operators.run import WherobotsRunOperator


class Task:
    """What an operator pushes values to."""

    def __init__(self):
        self.pushed = {}

    def xcom_push(self, key, value):
        self.pushed[str(key)] = value


class Lines(logging.Handler):
    """The log of a task."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = []

    def emit(self, record):
        self.lines.append([record.levelname, record.getMessage()])


def operator(name, script, **options):
    options = {"polling_interval": 0.2, "run_python": {"uri": f"s3://acme-jobs/jobs/{script}"}, **options}
    return WherobotsRunOperator(task_id="run", name=name, **options)


def executed(task):
    """Executes an operator; returns what it pushed and logged, or how it failed."""
    pushed, handler = Task(), Lines()
    task.log.setLevel(logging.DEBUG)
    task.log.addHandler(handler)
    try:
        task.execute({"ti": pushed})
        failure = None
    except RuntimeError as error:
        failure = str(error)
    finally:
        task.log.removeHandler(handler)
    return {"failure": failure, "log": handler.lines, "pushed": pushed.pushed}


@work
def by_default():
    outcome = executed(operator("airflow-default", "etl.py"))
    with WherobotsRestAPIHook() as hook:
        run = hook.get_run(outcome["pushed"]["run_id"])
    return {
        "ended": run.end_time > run.start_time,
        "failure": outcome["failure"],
        "name": run.name,
        "status": run.status.value,
    }


@work
def a_jar_in_full():
    task = operator(
        "airflow-jar",
        "",
        region="aws-eu-west-1",
        runtime="small",
        version="1.2.3",
        run_python=None,
        run_jar={"uri": " s3://acme-jobs/lib/job.jar", "args": ["a"]},
        environment={
            "sparkConfigs": {"spark.ui.enabled": "false"},
            "dependencies": [{"sourceType": "PYPI", "libraryName": "rasterio"}],
        },
        timeout_seconds=600,
    )
    return executed(task)["failure"]


@work
def log_followed():
    task = operator(
        "airflow-logs", "logs.py", poll_logs=True, wait_post_run_logs_timeout_seconds=1
    )
    outcome = executed(task)
    return {
        "failure": outcome["failure"],
        "levels": sorted({level for level, _ in outcome["log"]}),
        "lines": [text for _, text in outcome["log"] if "INFO" in text or "WARN" in text],
    }


@work
def failed():
    return executed(operator("airflow-fail", "fail.py"))["failure"]


@work
def timed_out():
    return executed(operator("airflow-timeout", "timeout.py"))["failure"]


@work
def failed_by_timeout():
    return executed(operator("airflow-exec", "fail-exec.py"))["failure"]


@work
def killed():
    """What Airflow does when a task is stopped: `on_kill` while `execute` waits."""
    task = operator("airflow-slow", "slow.py")

    def kill():
        deadline = time.monotonic() + 60
        while not task.run_id and time.monotonic() < deadline:
            time.sleep(0.05)
        task.on_kill()

    # Airflow has `execute` in the main thread only.
    killer = threading.Thread(target=kill)
    killer.start()
    outcome = executed(task)
    killer.join()
    return outcome["failure"]


@work
def refused():
    with WherobotsRestAPIHook() as hook:
        hook.create_run({"name": "x"})


report()
