import { closing, JVM, MAIN, text, type FailedLog } from './failedLogs';

const WORKER = text(`
		  File "/opt/spark/python/lib/pyspark.zip/pyspark/worker.py", line 1247, in main
		    process()
		  File "/opt/job/tiles.py", line 17, in area
		    return 1 / width
		ZeroDivisionError: division by zero
`);

/** Python programs that end with an exception of the JVM, or of a Python worker that it started. */
export const py4jLogs: FailedLog[] = [
	{
		title: 'an exception of the JVM, passed on by Py4J',
		lines: [
			...MAIN,
			'  File "/opt/spark/python/lib/py4j-0.10.9.7-src.zip/py4j/protocol.py", line 326, in get_return_value',
			'    raise Py4JJavaError(',
			'py4j.protocol.Py4JJavaError: An error occurred while calling o51.count.',
			': org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, most recent failure: Lost task 0.3 in stage 1.0 (TID 7) (10.0.0.1 executor 1): java.lang.IllegalArgumentException: Points of LinearRing do not form a closed linestring',
			...JVM,
			'',
			'Driver stacktrace:',
			...JVM,
			'Caused by: java.lang.IllegalArgumentException: Points of LinearRing do not form a closed linestring',
			'\tat org.locationtech.jts.geom.LinearRing.validateConstruction(LinearRing.java:118)',
			...JVM,
			'Caused by: java.io.EOFException',
			...JVM,
			...closing(1),
		],
		says: {
			cause:
				'java.lang.IllegalArgumentException: Points of LinearRing do not form a closed linestring',
			location: 'tiles.py:42',
			returnCode: 1,
		},
		shows: ['Caused by: java.lang.IllegalArgumentException: Points', 'Py4JJavaError'],
		hides: ['\tat '],
	},
	{
		title: 'an executor that was lost, which has no cause of its own',
		lines: [
			...MAIN,
			'py4j.protocol.Py4JJavaError: An error occurred while calling o51.count.',
			': org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, most recent failure: Lost task 0.3 in stage 1.0 (TID 7) (10.0.0.1 executor 1): ExecutorLostFailure (executor 1 exited caused by one of the running tasks) Reason: Command exited with code 137',
			...JVM,
			...closing(1),
		],
		says: {
			cause:
				'ExecutorLostFailure (executor 1 exited caused by one of the running tasks) Reason: Command exited with code 137',
			location: 'tiles.py:42',
			returnCode: 1,
		},
	},
	{
		title: 'an exception of the JVM without a message, passed on by Py4J',
		lines: [
			...MAIN,
			'py4j.protocol.Py4JJavaError: An error occurred while calling o51.count.',
			': java.lang.NullPointerException',
			...JVM,
			...closing(1),
		],
		says: {
			cause: 'java.lang.NullPointerException',
			location: 'tiles.py:42',
			returnCode: 1,
		},
	},
	{
		title: 'an exception of the JVM, of which only the outer one names the file',
		lines: [
			...MAIN,
			'py4j.protocol.Py4JJavaError: An error occurred while calling o51.parquet.',
			': java.nio.file.AccessDeniedException: s3://example/tiles: getFileStatus',
			...JVM,
			'Caused by: com.amazonaws.services.s3.model.AmazonS3Exception: Forbidden (Status Code: 403)',
			...JVM,
			...closing(1),
		],
		says: {
			cause: 'com.amazonaws.services.s3.model.AmazonS3Exception: Forbidden (Status Code: 403)',
			location: 'tiles.py:42',
			returnCode: 1,
		},
		shows: [
			': java.nio.file.AccessDeniedException: s3://example/tiles',
			'Caused by: com.amazonaws',
		],
	},
	{
		title: 'an executor that was lost, with the reason on the next line',
		lines: [
			...MAIN,
			'py4j.protocol.Py4JJavaError: An error occurred while calling o51.count.',
			': org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times, most recent failure: Lost task 0.3 in stage 1.0 (TID 7) (10.0.0.1 executor 4): ExecutorLostFailure (executor 4 exited caused by one of the running tasks) Reason: ',
			'The executor with id 4 exited with exit code 137(SIGKILL, possible container OOM).',
			'',
			'The API gave the following container statuses:',
			...JVM,
			...closing(1),
		],
		says: {
			cause:
				'ExecutorLostFailure (executor 4 exited caused by one of the running tasks) Reason: The executor with id 4 exited with exit code 137(SIGKILL, possible container OOM).',
			location: 'tiles.py:42',
			returnCode: 1,
		},
	},
	{
		title: 'a stage that failed too often, with the reason on the next line',
		lines: [
			...MAIN,
			'py4j.protocol.Py4JJavaError: An error occurred while calling o51.save.',
			': org.apache.spark.SparkException: Job aborted due to stage failure: ShuffleMapStage 4 (save at Tiles.java:0) has failed the maximum allowable number of times: 4. Most recent failure reason:',
			'org.apache.spark.shuffle.MetadataFetchFailedException: Missing an output location for shuffle 2',
			...JVM,
			...closing(1),
		],
		says: {
			cause:
				'org.apache.spark.SparkException: Job aborted due to stage failure: ShuffleMapStage 4 (save at Tiles.java:0) has failed the maximum allowable number of times: 4. Most recent failure reason: org.apache.spark.shuffle.MetadataFetchFailedException: Missing an output location for shuffle 2',
			location: 'tiles.py:42',
			returnCode: 1,
		},
	},
	{
		title: 'a Python worker of Spark 3, whose traceback is within that of the JVM',
		lines: [
			'26/11/25 03:00:20 WARN TaskSetManager: Lost task 0.0 in stage 1.0 (TID 4)',
			...MAIN,
			'py4j.protocol.Py4JJavaError: An error occurred while calling o51.collect.',
			': org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 1.0 failed 4 times: org.apache.spark.api.python.PythonException: Traceback (most recent call last):',
			...WORKER,
			'',
			...JVM,
			'Driver stacktrace:',
			...JVM,
			'Caused by: org.apache.spark.api.python.PythonException: Traceback (most recent call last):',
			...WORKER,
			'',
			...JVM,
			...closing(1),
		],
		says: { cause: 'ZeroDivisionError: division by zero', location: 'tiles.py:17', returnCode: 1 },
		shows: ['  File "/opt/job/tiles.py", line 42, in <module>', '    return 1 / width'],
		hides: ['\tat '],
	},
	{
		title: 'a Python worker of Spark 4',
		lines: [
			...MAIN,
			'  File "/opt/spark/python/pyspark/errors/exceptions/captured.py", line 185, in deco',
			'    raise converted from None',
			'pyspark.errors.exceptions.captured.PythonException: ',
			'  An exception was thrown from the Python worker. Please see the stack trace below.',
			'Traceback (most recent call last):',
			...WORKER,
			...closing(1),
		],
		says: { cause: 'ZeroDivisionError: division by zero', location: 'tiles.py:17', returnCode: 1 },
	},
	{
		title: 'a driver out of memory, whose Python lost its connection',
		lines: [
			'Exception in thread "dispatcher-3" java.lang.OutOfMemoryError: Java heap space',
			...JVM,
			...MAIN,
			'py4j.protocol.Py4JNetworkError: Answer from Java side is empty',
			...closing(137),
		],
		says: { cause: 'java.lang.OutOfMemoryError: Java heap space', returnCode: 137 },
	},
	{
		title: 'a driver out of memory, whose Python went on to its end',
		lines: [
			'java.lang.OutOfMemoryError: Java heap space',
			...JVM,
			...MAIN,
			'py4j.protocol.Py4JError: An error occurred while calling o72.collectToPython',
			...closing(1),
		],
		says: {
			cause: 'java.lang.OutOfMemoryError: Java heap space',
			location: 'tiles.py:42',
			returnCode: 1,
		},
		shows: ['Py4JError'],
	},
];
