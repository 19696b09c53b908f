"""airflow-providers-wherobots: the operator of SQL."""

from work import report, work

from airflow_providers_wherobots.operators.sql import WherobotsSqlOperator


def executed(sql, **options):
    outcome = WherobotsSqlOperator(task_id="sql", sql=sql, **options).execute({})
    if isinstance(outcome, list):
        return [each.to_dict("records") for each in outcome]
    return outcome.to_dict("records")


@work
def by_default():
    return executed("SELECT * FROM t")


@work
def several():
    options = {"runtime": "tiny", "region": "aws-us-west-2", "split_statements": True}
    return executed("CREATE TABLE t (id int); SELECT * FROM t", return_last=False, **options)


@work
def failed():
    return executed("SELECT * FROM nowhere", region="aws-us-west-2")


report()
