import type { IExecuteFunctions } from 'n8n-workflow';

import {
	mapOptions,
	readMapOptions,
	withMap,
} from '../../../../nodes/Wherobots/actions/operations/mapOutput';
import type { MapOptions } from '../../../../nodes/Wherobots/map';
import { inputOf } from '../../../support/input';

/** A stand-in that shows only what the map was made of, because drawing takes half a second. */
jest.mock('../../../../nodes/Wherobots/map', () => ({
	MapMaker: class {
		seen = '';

		async *watch(bytes: AsyncIterable<Uint8Array>) {
			for await (const block of bytes) {
				this.seen += String(block);
				yield block;
			}
		}

		draw({ title, column }: MapOptions) {
			const facts = { note: this.seen === '' ? 'Nothing there.' : '' };
			const what = `${this.seen} as ${title} by ${column}`;
			return { png: () => `png of ${what}`, svg: `svg of ${what}`, page: `page of ${what}`, facts };
		}
	},
}));

const [drawMap, mapColumn, mapTitle] = mapOptions.map(({ name }) => name);

describe('the options of a map', () => {
	it('come from the form, and a map without a title has the name of its file', () => {
		const options = { [drawMap]: true, [mapColumn]: 'size', [mapTitle]: 'Hail' };
		const read = (parameters: object) => readMapOptions(inputOf({ ...parameters }), 'a.geojson');
		expect(read(options)).toEqual({ title: 'Hail', column: 'size' });
		expect(read({ [drawMap]: true })).toEqual({ title: 'a.geojson' });
		expect(read({ ...options, [drawMap]: false })).toBeUndefined();
	});
});

describe('a download', () => {
	const data = { data: '', mimeType: '' };

	/** The item of a file that is transferred in this many attempts, and the hints. */
	async function downloaded(text: string, options: MapOptions, attempts = 1) {
		const hints: unknown[] = [];
		const helpers = {
			prepareBinaryData: async (bytes: Buffer, fileName: string, mimeType: string) =>
				await Promise.resolve({ data: String(bytes), fileName, mimeType }),
		};
		const context = { helpers, addExecutionHints: (hint: unknown) => hints.push(hint) };
		async function* bytes() {
			yield await Promise.resolve(Buffer.from(text));
		}
		const item = await withMap(context as unknown as IExecuteFunctions, options, async (watch) => {
			for (let attempt = 0; attempt < attempts; attempt++) {
				for await (const block of watch(bytes())) expect(String(block)).toBe(text);
			}
			return { json: { bytes: text.length }, binary: { data } };
		});
		return { item, hints };
	}

	it('has a map of what its last attempt transferred, as a picture, an SVG and a page', async () => {
		const { item, hints } = await downloaded('abc', { title: 'Hail', column: 'size' }, 2);
		expect(item).toEqual({
			json: { bytes: 3, map: { note: '' } },
			binary: {
				data,
				map: { data: 'png of abc as Hail by size', fileName: 'map.png', mimeType: 'image/png' },
				mapSvg: {
					data: 'svg of abc as Hail by size',
					fileName: 'map.svg',
					mimeType: 'image/svg+xml',
				},
				mapPage: {
					data: 'page of abc as Hail by size',
					fileName: 'map.html',
					mimeType: 'text/html',
				},
			},
		});
		expect(hints).toEqual([]);
	});

	it('comes with a hint about what its map leaves out', async () => {
		const { hints } = await downloaded('', { title: 'Hail' });
		expect(hints).toEqual([{ message: 'Map: Nothing there.', type: 'info' }]);
	});

	it('is passed on untouched when no map is wanted', async () => {
		const file = { json: {} };
		async function* bytes() {}
		const stream = bytes();
		const item = await withMap({} as IExecuteFunctions, undefined, async (watch) => {
			expect(watch(stream)).toBe(stream);
			return await Promise.resolve(file);
		});
		expect(item).toBe(file);
	});
});
