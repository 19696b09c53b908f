import {
	MAX_ROW_BYTES,
	textPieces,
} from '../../../../nodes/Wherobots/transport/auditExport/textPieces';

const KIB = 1024;
const none = () => 0;

async function* from(...chunks: Buffer[]) {
	for (const chunk of chunks) yield await Promise.resolve(chunk);
}

async function piecesOf(source: AsyncIterable<Uint8Array>, waiting = none): Promise<string[]> {
	const pieces: string[] = [];
	for await (const piece of textPieces(source, waiting)) pieces.push(piece);
	return pieces;
}

it('text is cut after line feeds, in pieces of a quarter of a megabyte at least', async () => {
	const line = `${'ä'.repeat(499)}\n`;
	const text = line.repeat(1_000);
	const bytes = Buffer.from(text);
	for (const size of [700, 100 * KIB, 256 * KIB, 900 * KIB]) {
		const chunks = [];
		for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
		const pieces = await piecesOf(from(...chunks));
		expect(pieces.join('') === text).toBe(true);
		expect(pieces.every((piece) => piece.endsWith('\n'))).toBe(true);
		const lengths = pieces.map((piece) => Buffer.byteLength(piece));
		for (const length of lengths.slice(0, -1)) {
			expect(length).toBeGreaterThan(255 * KIB);
			expect(length).toBeLessThan(513 * KIB);
		}
	}
});

it('what is short comes at the end, nothing of nothing', async () => {
	expect(await piecesOf(from(Buffer.from('a\nb'), Buffer.from('c')))).toEqual(['a\nbc']);
	expect(await piecesOf(from())).toEqual([]);
	expect(await piecesOf(from(Buffer.alloc(0)))).toEqual([]);
});

it('a line feed at the end of a piece leaves nothing behind', async () => {
	const piece = Buffer.alloc(256 * KIB, 'x');
	piece[piece.length - 1] = 10;
	expect((await piecesOf(from(piece, piece))).map(({ length }) => length)).toEqual([
		256 * KIB,
		256 * KIB,
	]);
});

it('a long line comes as one, whatever it is cut into', async () => {
	const long = Buffer.alloc(3_000 * KIB, 'x');
	const pieces = await piecesOf(from(Buffer.from('a\n'), long, Buffer.from('\nb\n')));
	expect(pieces.join('')).toHaveLength(3_000 * KIB + 5);
	expect(pieces.some((piece) => piece.includes('x') && !piece.endsWith('\n'))).toBe(false);
});

it('pieces are as long as what waits for the end of its row', async () => {
	const lines = Buffer.from('x\n'.repeat(512 * KIB));
	expect(await piecesOf(from(lines))).toHaveLength(4);
	expect(await piecesOf(from(lines), () => 512 * KIB)).toHaveLength(3);
});

it.each([
	[
		'that waits',
		async () => await piecesOf(from(Buffer.alloc(300 * KIB, '\n')), () => MAX_ROW_BYTES + 1),
	],
	[
		'that comes',
		async () => {
			const block = Buffer.alloc(4_096 * KIB, 'x');
			return await piecesOf(from(...Array<Buffer>(40).fill(block)));
		},
	],
])('a row of more than 64 megabytes %s is malformed', async (_, read) => {
	await expect(read()).rejects.toMatchObject({
		problem: 'malformed',
		message: 'A row is longer than 64 MiB',
	});
});

it('a row of 64 megabytes is none', async () => {
	const pieces = await piecesOf(from(Buffer.alloc(300 * KIB, '\n')), () => MAX_ROW_BYTES);
	expect(pieces.join('')).toHaveLength(300 * KIB);
});
