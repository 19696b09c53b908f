/** Catalogs and tables. */
import { isOk, ok, outcomeOf, recordOf, type Answer } from '../api';
import { found, verify, type Guess } from '../guess';
import { text } from '../context';
import { count, fieldsOf, isRecord, kindOf, recordsIn, type Json } from '../shape';

const snapshotsOf = ({ json }: Answer): Json[] => recordsIn(json, 'snapshots');

export const catalogGuesses: Guess[] = [
	{
		name: 'catalog-ids',
		area: 'Catalogs',
		assumed: 'The `id` of a catalog in `GET /catalogs` is the one for the paths of other requests.',
		matters: 'Catalog, Namespace, Table, View: Catalog',
		code: 'nodes/Wherobots/service/tables/catalogs.ts',
		async check({ api }) {
			const [first] = recordsIn(recordOf(await api.get('/catalogs')), 'catalogs');
			const { id } = found(first, 'there is no catalog');
			const values = { id: String(id) };
			ok(await api.get('/catalogs/{id}/namespaces', { values }));
			return `id is ${kindOf(id)}; fields ${fieldsOf(first)}`;
		},
	},
	{
		name: 'catalog-hierarchy-ids',
		area: 'Catalogs',
		assumed: 'In `GET /catalogs/hierarchy`, `extId` is the ID that `GET /catalogs` calls `id`.',
		matters: 'Catalog: Get Hierarchy, Create',
		code: 'nodes/Wherobots/service/tables/catalogs.ts',
		async check({ api }) {
			const listed = recordsIn(recordOf(await api.get('/catalogs')), 'catalogs');
			const tree = recordsIn(recordOf(await api.get('/catalogs/hierarchy')), 'catalogs');
			const [first] = tree;
			const ids = listed.map(({ id }) => String(id));
			const seen = `id is ${kindOf(found(first, 'the hierarchy is empty').id)}, extId ${kindOf(first.extId)}`;
			verify(ids.includes(String(first.extId)), seen);
			return seen;
		},
	},
	{
		name: 'table-update-time',
		area: 'Catalogs',
		assumed: '`updateTime` of a table is the time of its last change, or null.',
		matters: 'Table: Get Many; Trigger: Table Changed',
		code: 'nodes/Wherobots/service/tables/catalogs.ts',
		async check(live) {
			const { json } = await live.table((detail) => snapshotsOf(detail).length > 0);
			const { updateTime, snapshots } = json as Json;
			const last = recordsIn(snapshots).map((each) => Number(each['timestamp-ms']));
			if (updateTime === null || updateTime === undefined) return kindOf(updateTime);
			const time = Date.parse(text(updateTime));
			verify(!Number.isNaN(time), kindOf(updateTime));
			const behind = Math.round((time - Math.max(...last)) / 60_000);
			verify(behind > -60, `${-behind} minutes before the last snapshot`);
			return `${behind} minutes after the last snapshot`;
		},
	},
	{
		name: 'table-update-time-listed',
		area: 'Catalogs',
		assumed: 'The list of tables has the same `updateTime` as the details of each.',
		matters: 'Trigger: Table Changed, which reads those tables of a namespace that were updated',
		code: 'nodes/Wherobots/trigger/core/tables.ts',
		async check(live) {
			let listed: unknown;
			const { json } = await live.table((each, entry) => {
				listed = entry.updateTime;
				return snapshotsOf(each).length > 0;
			});
			const { updateTime } = json as Json;
			const behind = Date.parse(text(updateTime)) - Date.parse(text(listed));
			const seen = `${kindOf(listed)} in the list, ${kindOf(updateTime)} in the details`;
			verify(kindOf(listed) === kindOf(updateTime), seen);
			verify(!(Math.abs(behind) >= 1000), `${seen}, ${behind / 1000} seconds later`);
			return seen;
		},
	},
	{
		name: 'table-snapshots',
		area: 'Catalogs',
		assumed:
			'Snapshots of a table have `snapshot-id`, a number of up to 19 digits, and `timestamp-ms`.',
		matters: 'Table: Get; Trigger: Table Changed',
		code: 'nodes/Wherobots/transport/bytes.ts',
		async check(live) {
			const detail = await live.table((each) => snapshotsOf(each).length > 0);
			const [snapshot] = snapshotsOf(detail);
			// The text, because a number of JavaScript would be rounded.
			const id = /"snapshot-id"\s*:\s*("?)(-?\d+)/.exec(detail.text);
			verify(id !== null && 'timestamp-ms' in snapshot, `fields ${fieldsOf(snapshot)}`);
			verify(id[1] === '', 'snapshot-id is a text');
			return `a number of ${id[2].length} digits`;
		},
	},
	{
		name: 'table-snapshot-parents',
		area: 'Catalogs',
		assumed: 'A snapshot of a table names the one before it in `parent-snapshot-id`.',
		matters: 'Trigger: Table Changed, when several are new; Table: Get Rows',
		code: 'nodes/Wherobots/service/tables/catalogs.ts',
		async check(live) {
			const snapshots = snapshotsOf(await live.table((each) => snapshotsOf(each).length > 1));
			const ids = new Set(snapshots.map((each) => each['snapshot-id']));
			const following = snapshots.filter((each) => ids.has(each['parent-snapshot-id']));
			const seen = `${following.length} of ${count(snapshots, 'snapshot')} name another one`;
			verify(following.length > 0, seen);
			return seen;
		},
	},
	{
		name: 'table-refs',
		area: 'Catalogs',
		assumed: '`refs` of a table has `main`, a `branch`, with its `snapshot-id`.',
		matters: 'Table: Get; Trigger: Table Changed',
		code: 'nodes/Wherobots/service/tables/catalogs.ts',
		async check(live) {
			const { json } = await live.table((each) => snapshotsOf(each).length > 0);
			const { refs } = json as Json;
			verify(isRecord(refs), `refs is ${kindOf(refs)}`);
			const { main } = refs;
			verify(isRecord(main), `${count(Object.keys(refs), 'ref')}, none of them main`);
			verify(
				'snapshot-id' in main && main.type === 'branch',
				`fields ${fieldsOf(main)}, type ${text(main.type)}`,
			);
			const types = new Set(Object.values(refs).map((each) => text(isRecord(each) && each.type)));
			return `${count(Object.keys(refs), 'ref')}, of type ${[...types].join(', ')}`;
		},
	},
	{
		name: 'missing-catalog',
		area: 'Catalogs',
		assumed: 'A catalog that does not exist is answered by 404.',
		matters: 'Namespace, Table: Get Many; whether a deletion was done before',
		code: 'nodes/Wherobots/transport/explain.ts',
		async check({ api }) {
			const values = { id: 'n8n-live-check-no-such-catalog' };
			const answer = await api.get('/catalogs/{id}/namespaces', { values });
			verify(!isOk(answer) && answer.status === 404, outcomeOf(answer));
			return '404';
		},
	},
];
