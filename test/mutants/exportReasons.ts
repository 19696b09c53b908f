/** The reasons of `reasons.ts` for the sources below transport/auditExport/. */
import { type Reason } from './reason';

const LIMIT = 'a limit of tens of megabytes or millions of IDs, which no fast test reaches';
const SHORTCUT = 'a shortcut: without it the same comes out, only later';
const COPY = 'a shortcut: without it the same bytes are copied once more';
const ROOM = 'only when more memory is asked for changes';
const UNUSED = 'what is done once too often is used by nothing';
const ONE_IN_BILLIONS =
	'makes a difference where two IDs, or an ID and zero, agree in 32 bits of their hashes: one pair in 4,000 million';

export const EXPORT_REASONS: Record<string, Reason[]> = {
	'transport/auditExport/exportSteps.ts': [['an empty piece writes nothing', 'kept.length > 0']],
	'transport/auditExport/csv.ts': [
		['an empty line has no columns either way', "line !== ''", '\'\' → "Stryker was here!"'],
		[SHORTCUT, 'meta.cursor === 0', 'blanks === 0'],
		['a text without a line end is one row', 'data.length !== 1'],
		['only the first row of the text is taken', '/\\r?\\n?$/'],
		['whether there are any is all that is asked', 'blanks++'],
		['where a blank line has all values of a row, none is counted', 'row.length === width'],
	],
	'transport/auditExport/murmur3.ts': [[SHORTCUT, 'at + 4 <= end']],
	'transport/auditExport/readExport.ts': [
		['names the endpoint in errors that other tests read', '\'exportAuditLog\' → ""'],
		['only for tests, which would depend on their order without it', 'knownPaths.clear()'],
	],
	'transport/auditExport/repeatFilter.ts': [
		[COPY, 'carriedBytes.length > 0'],
		[ROOM, 'this.bounds.length < 2 * count'],
		[UNUSED, 'row < ends.length'],
		['a value that begins with quotes has two of them', 'idEnd - quote'],
		[SHORTCUT, 'at < rowEnd', 'at + 4 <= rowEnd', '0x80808080'],
	],
	'transport/auditExport/rowScanner.ts': [
		['is set by the first block', '[] → ["Stryker was here"]'],
		[LIMIT, 'block.length - lastEnd', 'this.openBytes > MAX_ROW_BYTES'],
		[UNUSED, 'index < words.length'],
		[SHORTCUT, '0x80808080'],
	],
	'transport/auditExport/seenIds.ts': [
		[ROOM, 'FIRST_SLOTS * WORDS', '* 0.7', 'this.areNew.length < count'],
		[ONE_IN_BILLIONS, 'hashes[at + 3] === 0', 'at + 3 → at - 3', 'table[at'],
		[LIMIT, '++this.size', 'RangeError', 'More than', "'en-US'", 'isNew && !isEmpty'],
		[UNUSED, 'index < count', 'at < old.length', 'old[at + 3] !== 0'],
		[
			'reads ahead, which changes nothing but the time',
			'let read = 0',
			'table.length - 1 → table.length + 1',
			'count * WORDS',
			'hashes[at] * WORDS',
		],
		['the search for a free slot may go either way', 'at + WORDS → at - WORDS'],
	],
	'transport/auditExport/textPieces.ts': [
		['an empty piece holds no row', 'at < bytes.length', 'cut > 0', 'cut < all.length'],
		[COPY, 'held.length === 1'],
	],
};
