import { closing, logFile, MAIN, text, type FailedLog } from './failedLogs';

/** A traceback of a program's own function, as a log shows one of an exception that was caught. */
const CAUGHT = text(`
		Traceback (most recent call last):
		  File "/opt/job/tiles.py", line 12, in read
		    open(path)
		FileNotFoundError: [Errno 2] No such file or directory: 'optional.json'
`);

export const pythonLogs: FailedLog[] = [
	{
		title: 'a Python script, with frames of the JVM in its traceback',
		lines: logFile('failed-python'),
		says: {
			cause:
				'pyspark.errors.exceptions.captured.AnalysisException: [UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name `geom` cannot be resolved. Did you mean one of the following? [`geometry`, `id`]. SQLSTATE: 42703; line 1 pos 8',
			location: 'tiles.py:31',
			returnCode: 1,
		},
		shows: ['    areas = tiles.withColumn("area", expr("ST_Area(geom)"))'],
		hides: ['\tat ', 'run_submit', 'ShutdownHook'],
	},
	{
		title: 'an exception raised from another one',
		lines: [
			'Traceback (most recent call last):',
			'  File "/opt/job/geo/tiles.py", line 31, in area',
			'    return row["geometry"]',
			"KeyError: 'geometry'",
			'',
			'The above exception was the direct cause of the following exception:',
			'',
			...MAIN,
			'  File "/opt/job/main.py", line 9, in main',
			'    raise PipelineError("tile 17 failed") from error',
			'PipelineError: tile 17 failed',
			...closing(1),
		],
		says: {
			cause: "PipelineError: tile 17 failed, caused by KeyError: 'geometry'",
			location: 'tiles.py:31',
			returnCode: 1,
		},
		shows: [
			"KeyError: 'geometry'",
			'The above exception was the direct cause',
			'PipelineError: tile 17 failed',
		],
		hides: ['return code'],
	},
	{
		title: 'an exception while another one was handled',
		lines: [
			'Traceback (most recent call last):',
			'  File "/opt/job/tiles.py", line 31, in area',
			'ValueError: not a raster',
			'',
			'During handling of the above exception, another exception occurred:',
			'',
			...MAIN,
			'  File "/opt/job/tiles.py", line 50, in cleanup',
			"AttributeError: 'NoneType' object has no attribute 'close'",
			...closing(1),
		],
		says: {
			cause:
				"AttributeError: 'NoneType' object has no attribute 'close', while handling ValueError: not a raster",
			location: 'tiles.py:50',
			returnCode: 1,
		},
	},
	{
		title: 'a deep recursion, with lines of Spark in between',
		lines: [
			...MAIN,
			...Array.from({ length: 200 }, (_, index) => [
				`  File "/opt/job/walk.py", line ${index}, in walk`,
				'26/11/25 03:00:20 INFO BlockManager: Removed broadcast_1',
				'    walk(node.parent)',
			]).flat(),
			'RecursionError: maximum recursion depth exceeded',
			...closing(1),
		],
		says: {
			cause: 'RecursionError: maximum recursion depth exceeded',
			location: 'walk.py:199',
			returnCode: 1,
		},
		shows: ['    main()', '…', 'RecursionError'],
		hides: ['line 100', 'BlockManager'],
	},
	{
		title: 'a script with a syntax error, which has no heading',
		lines: [
			'  File "/opt/job/tiles.py", line 3',
			'    def main(',
			'            ^',
			"SyntaxError: '(' was never closed",
			...closing(1),
		],
		says: { cause: "SyntaxError: '(' was never closed", location: 'tiles.py:3', returnCode: 1 },
		shows: ['            ^'],
	},
	{
		title: 'a syntax error in a module that the script imports',
		lines: [
			'Traceback (most recent call last):',
			'  File "/opt/job/main.py", line 2, in <module>',
			'    import tiles',
			'  File "/opt/job/tiles.py", line 7',
			'    x = = 1',
			'        ^',
			'SyntaxError: invalid syntax',
			...closing(1),
		],
		says: { cause: 'SyntaxError: invalid syntax', location: 'tiles.py:7', returnCode: 1 },
	},
	{
		title: 'a column that pandas does not find, below the compiled code of pandas',
		lines: text(`
		Traceback (most recent call last):
		  File "/usr/lib/python3.11/site-packages/pandas/core/indexes/base.py", line 3805, in get_loc
		    return self._engine.get_loc(casted_key)
		  File "index.pyx", line 167, in pandas._libs.index.IndexEngine.get_loc
		  File "pandas/_libs/hashtable_class_helper.pxi", line 7081, in pandas._libs.hashtable.get_item
		KeyError: 'popluation'

		The above exception was the direct cause of the following exception:

		Traceback (most recent call last):
		  File "/opt/job/tiles.py", line 18, in <module>
		    print(tiles['popluation'].sum())
		  File "/usr/lib/python3.11/site-packages/pandas/core/frame.py", line 4102, in __getitem__
		    indexer = self.columns.get_loc(key)
		KeyError: 'popluation'
`).concat(closing(1)),
		says: { cause: "KeyError: 'popluation'", location: 'tiles.py:18', returnCode: 1 },
	},
	{
		title: 'an exception group',
		lines: text(`
		  + Exception Group Traceback (most recent call last):
		  |   File "/opt/job/tiles.py", line 42, in <module>
		  |     raise ExceptionGroup("tiles", errors)
		  | ExceptionGroup: tiles (2 sub-exceptions)
		  +-+---------------- 1 ----------------
		    | Traceback (most recent call last):
		    |   File "/opt/job/tiles.py", line 8, in one
		    |     raise ValueError("tile 17 is not a raster")
		    | ValueError: tile 17 is not a raster
		    +---------------- 2 ----------------
		    | TypeError: int
		    +------------------------------------
`).concat(closing(1)),
		says: {
			cause:
				'ExceptionGroup: tiles (2 sub-exceptions), caused by ValueError: tile 17 is not a raster',
			location: 'tiles.py:8',
			returnCode: 1,
		},
		shows: ['ValueError: tile 17 is not a raster', 'TypeError: int'],
	},
	{
		title: 'an exception that was caught earlier, then another one',
		lines: [
			...CAUGHT,
			'reading without it',
			...MAIN,
			'  File "/opt/spark/lib/python3.11/site-packages/shapely/io.py", line 90, in loads',
			'shapely.errors.GEOSException: ParseException: Unknown type',
			'Exception ignored in: <function Cursor.__del__ at 0x7f>',
			'Traceback (most recent call last):',
			'  File "/opt/job/db.py", line 5, in __del__',
			'TypeError: close',
			...closing(1),
		],
		says: {
			cause: 'shapely.errors.GEOSException: ParseException: Unknown type',
			location: 'tiles.py:42',
			returnCode: 1,
		},
		hides: ['optional.json', 'ignored', 'TypeError'],
	},
	{
		title: 'a traceback that breaks off',
		lines: [...MAIN, ...closing(1)],
		says: { location: 'tiles.py:42', returnCode: 1 },
	},
	{
		title: 'an exit with a code of its own, right after an exception was logged',
		lines: [...CAUGHT, 'giving up', ...closing(3)],
		says: {
			cause: "FileNotFoundError: [Errno 2] No such file or directory: 'optional.json'",
			location: 'tiles.py:12',
			returnCode: 3,
		},
	},
	{
		title: 'an exit with a code of its own, long after an exception was logged',
		lines: [...CAUGHT, ...Array<string>(30).fill('working'), 'nothing to do', ...closing(3)],
		says: { returnCode: 3 },
	},
	{
		title: 'an exit with a code of its own, long after an exception in the main module was logged',
		lines: [
			...MAIN,
			'ValueError: no tile',
			...Array<string>(30).fill('working'),
			'nothing to do',
			...closing(3),
		],
		says: { returnCode: 3 },
	},
	{
		title: 'arguments that the program does not take',
		lines: [
			'usage: tiles.py [-h] --region REGION',
			'tiles.py: error: the following arguments are required: --region',
			...closing(2),
		],
		says: {
			cause: 'tiles.py: error: the following arguments are required: --region',
			returnCode: 2,
		},
	},
	{
		title: 'an exit without a word',
		lines: ['reading', ...closing(3)],
		says: { returnCode: 3 },
	},
	{
		title: 'a program that was killed, after an exception that it survived',
		lines: [...CAUGHT, 'joining', ...closing(137)],
		says: {
			cause: 'The program was killed by signal 9, usually because it ran out of memory',
			returnCode: 137,
		},
	},
	{
		title: 'a program that was stopped by a signal',
		lines: ['joining', ...closing(-15)],
		says: { cause: 'The program was killed by signal 15', returnCode: -15 },
	},
	{
		title: "the service's own script, which could not load the program",
		lines: [
			'Traceback (most recent call last):',
			'  File "/home/wherobots/run-scripts/run_submit.py", line 80, in download',
			'  File "/usr/lib/python3.11/site-packages/botocore/client.py", line 530, in _api_call',
			'botocore.exceptions.ClientError: An error occurred (404) when calling the HeadObject operation: Not Found',
		],
		says: {
			cause:
				'botocore.exceptions.ClientError: An error occurred (404) when calling the HeadObject operation: Not Found',
		},
		shows: ['HeadObject'],
	},
	{
		title: 'bars and colors, and an exception without a traceback',
		lines: logFile('progress-bar'),
		says: { cause: 'ValueError: column "geometry" not found' },
	},
];
