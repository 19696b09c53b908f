"""wherobots-dbt: a small project with a seed and a model that merges.

Not called dbt_…: dbt imports whatever it finds under such a name.
"""

import json
import os
import pathlib

from work import report, work

host, port = os.environ["WHEROBOTS_HOST"].split(":")

FILES = {
    "dbt_project.yml": """
name: vendor
version: '1.0'
profile: vendor
model-paths: [models]
seed-paths: [seeds]
""",
    # The adapter leaves its port out of the address, so the host has it.
    "profiles.yml": f"""
vendor:
  target: sandbox
  outputs:
    sandbox:
      type: wherobots
      host: {host}:{port}
      catalog: org_catalog
      schema: vendor
      api_token: {os.environ["WHEROBOTS_API_KEY"]}
      runtime: micro
      region: aws-us-west-2
""",
    "seeds/cities.csv": "id,name\n1,Bonn\n2,O'Higgins\n",
    "models/visited.sql": """
{{ config(materialized='incremental', incremental_strategy='merge', unique_key='id') }}
select id, name from {{ ref('cities') }}
""",
    "models/names.sql": "{{ config(materialized='view') }} select name from {{ ref('visited') }}",
}
for name, text in FILES.items():
    file = pathlib.Path(name)
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)

from dbt.cli.main import dbtRunner


def invoked(*arguments):
    outcome = dbtRunner().invoke(list(arguments))
    if outcome.exception:
        raise outcome.exception
    nodes = getattr(outcome.result, "results", None) or []
    return {
        "nodes": [[each.node.name, str(each.status)] for each in nodes],
        "success": outcome.success,
    }


@work
def debug():
    return invoked("debug")


@work
def seed():
    return invoked("seed")


@work
def run():
    return invoked("run")


@work
def run_again():
    return invoked("run")


@work
def seed_again():
    return invoked("seed")


@work
def docs():
    success = dbtRunner().invoke(["docs", "generate"]).success
    catalog = json.loads(pathlib.Path("target/catalog.json").read_text())
    nodes = catalog["nodes"].values()
    return {
        "success": success,
        "tables": {
            node["metadata"]["name"]: [
                node["metadata"]["type"],
                [[column["name"], column["type"]] for column in node["columns"].values()],
            ]
            for node in nodes
        },
    }


report()
