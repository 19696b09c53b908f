import { downloadNode } from '../../../support/files';
import { suiteWithSandbox } from '../../harness/suite';

const suite = suiteWithSandbox();

describe('Download', () => {
	it('draws a map of GeoJSON, also of a transfer that begins again', async () => {
		const feature = (size: number) => ({
			...{ type: 'Feature', properties: { size, note: 'x'.repeat(1_000) } },
			geometry: { type: 'Point', coordinates: [size, 50] },
		});
		const features = Array.from({ length: 500 }, (_, index) => feature(index / 10));
		const text = JSON.stringify({ type: 'FeatureCollection', features });
		suite.store.storages.put('stor-acme', 'hail.geojson', text);
		suite.presigned.addFault({ method: 'GET', times: 1, fault: { kind: 'cut', bytes: 400_000 } });
		const options = { drawMap: true, mapColumn: 'size', mapTitle: 'Hail' };
		const { items } = await suite.succeeds(downloadNode('hail.geojson', { options }));
		const [{ json, binary }] = items;
		expect(json).toMatchObject({ bytes: text.length, map: { features: 500, drawn: 500 } });
		const read = (field: string) => Buffer.from(binary?.[field].data ?? '', 'base64');
		expect(read('data').toString()).toBe(text);
		expect(binary?.map).toMatchObject({
			fileName: 'map.png',
			mimeType: 'image/png',
			fileType: 'image',
		});
		expect(read('map').subarray(1, 4).toString()).toBe('PNG');
		expect(binary?.mapSvg.mimeType).toBe('image/svg+xml');
		expect(read('mapSvg').toString()).toContain('>Hail</text>');
		expect(read('mapSvg').toString()).toContain('>40 to 49.9</text>');
		expect(read('mapPage').toString()).toContain('<title>Hail</title>');
	});

	it('says what a map cannot show', async () => {
		suite.store.storages.put('stor-acme', 'no.csv', 'a,b\n1,2\n');
		const options = { drawMap: true };
		const { items, hints } = await suite.run(downloadNode('no.csv', { options }));
		const note = 'It could not be drawn: the file is not GeoJSON';
		expect(items[0].json.map).toEqual({ drawn: 0, note });
		expect(hints).toEqual([`Map: ${note}`]);
		expect(Buffer.from(items[0].binary?.data.data ?? '', 'base64').toString()).toBe('a,b\n1,2\n');
	});
});
