import { closing, JVM, logFile, type FailedLog } from './failedLogs';

export const jarLogs: FailedLog[] = [
	{
		title: 'a JAR, with its cause inside',
		lines: logFile('failed-jar'),
		says: {
			cause:
				'java.lang.IllegalArgumentException: Points of LinearRing do not form a closed linestring',
			location: 'Tiles.scala:23',
			returnCode: 1,
		},
		shows: [
			'Caused by: java.lang.IllegalArgumentException: Points of LinearRing do not form a closed linestring',
			'\tat com.example.Tiles$.polygon(Tiles.scala:23)',
		],
		hides: ['org.apache.spark.deploy', 'ResizableArray', 'run_submit'],
	},
	{
		title: 'a JAR without a cause inside, and a Spark line in between',
		lines: [
			'Exception in thread "main" java.lang.IllegalStateException: no tiles',
			'26/11/25 04:00:41 INFO SparkContext: Invoking stop() from shutdown hook',
			'\tat com.example.Tiles$.$anonfun$main$1(Tiles.scala:57)',
			...JVM,
			...closing(1),
		],
		says: {
			cause: 'java.lang.IllegalStateException: no tiles',
			location: 'Tiles.scala:57',
			returnCode: 1,
		},
	},
	{
		title: 'a JAR that printed its exception and ended by itself',
		lines: [
			'java.lang.IllegalStateException: no tiles',
			'\tat com.example.Tiles$.main(Tiles.scala:57)',
			...closing(2),
		],
		says: {
			cause: 'java.lang.IllegalStateException: no tiles',
			location: 'Tiles.scala:57',
			returnCode: 2,
		},
	},
	{
		title: 'a JAR whose first frame has no line',
		lines: [
			'Exception in thread "main" java.lang.ExceptionInInitializerError',
			'\tat com.example.Tiles.main(Tiles.scala)',
			...JVM,
			'Caused by: java.lang.NullPointerException',
			'\tat com.example.Settings$.<clinit>(Settings.scala:4)',
			...closing(1),
		],
		says: {
			cause: 'java.lang.NullPointerException',
			location: 'Settings.scala:4',
			returnCode: 1,
		},
	},
	{
		title: 'a JAR whose main class is not there',
		lines: ['Error: Failed to load class com.example.Tiles.', ...closing(101)],
		says: { cause: 'Error: Failed to load class com.example.Tiles.', returnCode: 101 },
	},
];
