/** What n8n's search finds: it looks at the name of a node and its aliases, and at nothing else. */
import action from '../../../nodes/Wherobots/Wherobots.node.json';
import trigger from '../../../nodes/Wherobots/WherobotsTrigger.node.json';

const found = (aliases: string[], typed: string): string[] =>
	aliases.filter((alias) => alias.toLowerCase().includes(typed));

// The editor lists both nodes as one entry, with the aliases of the action node.
it.each([
	...['job run', 'run job', 'run finished', 'trigger', 'logs', 'spark', 'sedona'],
	...['sql', 'spatial sql', 'query', 'table', 'map', 'geojson', 'gis', 'geospatial'],
	...['cost', 'billing', 'metrics', 'upload', 'download', 'file upload', 'archive', 's3 archive'],
	...['audit log', 'export', 'catalog', 'iceberg', 'api key', 'cloud connection'],
	...['audit logs', 'notebook', 'usage', 'budget', 'jobs', 'maps', 'python', 'parquet'],
	...['run failed', 'job failed', 'job finished', 'task failed', 'alert', 'audit event'],
	...['run sql', 'run python', 'run again', 'retry job', 'wait for job', 'cost limit', 'callback'],
	...['insert rows', 'new row', 'append row', 'upsert', 'load csv', 'table changed', 'draw map'],
	...['sql query', 'execute sql', 'create job', 'submit job', 'spark job', 'get rows', 'geometry'],
	...['select rows', 'list files', 'download file', 'csv to table', 'upload to s3', 'overture'],
	...['job run failed', 'new table rows', 'buffer', 'distance', 'email map'],
	...['upload file', 'export audit log', 'qgis', 'postgis', 'arcgis', 'shapefile', 'polygon'],
])('finds the node by "%s"', (typed) => {
	expect(found(action.alias, typed)).not.toEqual([]);
});

it.each(['trigger', 'run finished', 'run failed', 'audit log', 'alert'])(
	'finds the trigger by "%s" where it is listed by itself',
	(typed) => {
		expect(found(['Wherobots Trigger', ...trigger.alias], typed.toLowerCase())).not.toEqual([]);
	},
);
