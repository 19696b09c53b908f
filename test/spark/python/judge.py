"""What a Spark's own parser calls statements: one JSON list of texts in, one JSON list of verdicts out.

python judge.py [JARS FOLDER] < statements.json

Nothing is executed. Without arguments only the parser of the Spark that is imported as pyspark is
loaded; with the folder of Sedona's and Iceberg's jars and an empty one, it is that of a session with
them, which parse some statements themselves.

A verdict is "error" (no statement of this Spark, so nothing would change), "reads", or the name of what
is in the plan that is not known only to read.
"""

import json
import re
import sys

from pyspark.java_gateway import launch_gateway

from session import start_session

# Parts of the plan of a query, and of statements that show something. Whatever is not here may change
# something.
READING = set(
    """
    Aggregate CTE CurrentNamespace DescribeColumn DescribeColumnStatement DescribeDatabase DescribeFunction
    DescribeFunctionCommand DescribeNamespace DescribeProcedure DescribeQueryCommand DescribeRelation
    DescribeTablePartition Distinct Except ExplainCommand Filter Generate GlobalLimit Intersect Join
    LateralJoin ListArchivesCommand ListFilesCommand ListJarsCommand LocalLimit LocalRelation Offset
    OneRowRelation PipeOperator Pivot Project Recursive RelationTimeTravel Repartition RepartitionByExpression
    RepartitionOperation Sample SetOperation ShowCatalogsCommand ShowColumns ShowColumnsCommand
    ShowCreateTable ShowCurrentNamespaceCommand ShowDatabasesCommand ShowFunctions ShowNamespaces
    ShowNamespacesCommand ShowPartitions ShowPartitionsCommand ShowProcedures ShowTableExtended
    ShowTableProperties ShowTables ShowTablesCommand ShowTablesExtended ShowViews ShowViewsCommand Sort SubqueryAlias
    SubqueryColumnAliasesOnly Union Unpivot UnresolvedHaving UnresolvedHint UnresolvedIdentifier
    UnresolvedInlineTable UnresolvedNamespace UnresolvedFunctionName UnresolvedRelation
    UnresolvedStarBase UnresolvedSubqueryColumnAliases UnresolvedTable UnresolvedTableOrView
    UnresolvedTableSpec UnresolvedTableValuedFunction UnresolvedView UnresolvedWith View Window
    WithWindowDefinition
    """.split()
)

# The name of a part at the beginning of its line; texts of statements may have lines, too.
NODE = re.compile(r"^[\s:+\-|]*'?([A-Z][a-z]\w+)")
# They call any Java method.
JAVA = re.compile(r"'?\b(reflect|try_reflect|java_method)\(", re.IGNORECASE)


def verdict(parser, text):
    try:
        plan = parser.parsePlan(text)
    except Exception:
        return "error"
    tree = plan.treeString()
    for line in tree.splitlines():
        name = NODE.match(line)
        if name and name.group(1) not in READING:
            return name.group(1)
    return "JavaMethod" if JAVA.search(tree) else "reads"


def main():
    if len(sys.argv) > 1:
        session = start_session(*sys.argv[1:])
        parser = session._jsparkSession.sessionState().sqlParser()
        stop = session.stop
    else:
        gateway = launch_gateway()
        parser = gateway.jvm.org.apache.spark.sql.execution.SparkSqlParser()
        stop = gateway.shutdown
    texts = json.load(sys.stdin)
    json.dump([verdict(parser, text) for text in texts], sys.stdout)
    stop()


main()
