import { downloadNode } from '../../../support/files';
import { textOf } from '../../harness';
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
		expect(textOf(items[0])).toBe(text);
		expect(binary?.map).toMatchObject({
			fileName: 'map.png',
			mimeType: 'image/png',
			fileType: 'image',
		});
		expect(textOf(items[0], 'map').slice(1, 4)).toBe('PNG');
		expect(binary?.mapSvg.mimeType).toBe('image/svg+xml');
		expect(textOf(items[0], 'mapSvg')).toContain('>Hail</text>');
		expect(textOf(items[0], 'mapSvg')).toContain('>40 to 49.9</text>');
		expect(textOf(items[0], 'mapPage')).toContain('<title>Hail</title>');
	});

	it('says what a map cannot show', async () => {
		suite.store.storages.put('stor-acme', 'no.csv', 'a,b\n1,2\n');
		const options = { drawMap: true };
		const { items, hints } = await suite.run(downloadNode('no.csv', { options }));
		const note = 'It could not be drawn: the file is not GeoJSON';
		expect(items[0].json.map).toEqual({ drawn: 0, note });
		expect(hints).toEqual([`Map: ${note}`]);
		expect(textOf(items[0])).toBe('a,b\n1,2\n');
	});
});
