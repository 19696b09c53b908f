/** A shapefile of points, as other programs write it. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** @param base the path without an extension */
export async function writePlaces(base: string, points: Array<[number, number]>): Promise<void> {
	await mkdir(path.dirname(base), { recursive: true });
	const records = points.map(([x, y], at) => {
		const record = Buffer.alloc(28);
		record.writeInt32BE(at + 1, 0);
		record.writeInt32BE(10, 4);
		record.writeInt32LE(1, 8);
		record.writeDoubleLE(x, 12);
		record.writeDoubleLE(y, 20);
		return record;
	});
	const index = points.map((_, at) => {
		const entry = Buffer.alloc(8);
		entry.writeInt32BE(50 + at * 14, 0);
		entry.writeInt32BE(10, 4);
		return entry;
	});
	await writeFile(`${base}.shp`, Buffer.concat([header(points, 28), ...records]));
	await writeFile(`${base}.shx`, Buffer.concat([header(points, 8), ...index]));
	await writeFile(`${base}.dbf`, table(points.length));
}

function header(points: Array<[number, number]>, each: number): Buffer {
	const head = Buffer.alloc(100);
	head.writeInt32BE(9994, 0);
	head.writeInt32BE((100 + points.length * each) / 2, 24);
	head.writeInt32LE(1000, 28);
	head.writeInt32LE(1, 32);
	const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
	const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
	box.forEach((end, at) => head.writeDoubleLE(end, 36 + at * 8));
	return head;
}

/** The numbers of the points as `id`, and `size`. */
function table(count: number): Buffer {
	const fields = [
		{ name: 'id', length: 10, decimals: 0 },
		{ name: 'size', length: 12, decimals: 3 },
	];
	const head = Buffer.alloc(32 + 32 * fields.length + 1);
	head.set([3, 126, 1, 1]);
	head.writeUInt32LE(count, 4);
	head.writeUInt16LE(head.length, 8);
	head.writeUInt16LE(1 + fields.reduce((sum, { length }) => sum + length, 0), 10);
	fields.forEach(({ name, length, decimals }, at) => {
		head.write(name, 32 + at * 32, 'latin1');
		head.write('N', 43 + at * 32, 'latin1');
		head.set([length, decimals], 48 + at * 32);
	});
	head[head.length - 1] = 13;
	const rows = Array.from({ length: count }, (_, at) =>
		[' ', String(at + 1).padStart(10), (at + 0.25).toFixed(3).padStart(12)].join(''),
	);
	return Buffer.concat([head, Buffer.from(`${rows.join('')}\u001a`, 'latin1')]);
}
