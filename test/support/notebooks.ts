/** Jupyter notebooks, as far as the package reads them. */

export interface CellDraft {
	code?: string | string[];
	tags?: string[];
	metadata?: Record<string, unknown>;
	/** Another kind of cell, with this text. */
	markdown?: string;
}

const PYTHON = { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } };

/** The text of a notebook of format 4. A plain text is a code cell. */
export function notebookOf(
	cells: Array<string | CellDraft>,
	about: Record<string, unknown> = PYTHON,
): string {
	return JSON.stringify({
		nbformat: 4,
		nbformat_minor: 5,
		metadata: about,
		cells: cells
			.map((cell) => (typeof cell === 'string' ? { code: cell } : cell))
			.map(({ code, tags, metadata, markdown }) =>
				markdown === undefined
					? {
							cell_type: 'code',
							execution_count: 1,
							metadata: { ...metadata, ...(tags && { tags }) },
							outputs: [],
							source: code,
						}
					: { cell_type: 'markdown', metadata: {}, source: markdown },
			),
	});
}

/** With a cell of each kind that a script cannot have. */
export const FLOODED = notebookOf([
	{ markdown: '# Flooded buildings' },
	{
		code: [
			'%pip install h3\n',
			'from sedona.spark import SedonaContext, SedonaKepler\n',
			'sedona = SedonaContext.create(SedonaContext.builder().getOrCreate())',
		],
	},
	{ code: ["day = '2026-11-25'"], tags: ['parameters'] },
	"n = sedona.table('demo.buildings').count()\nprint('is it 42?', n)\nsedona.table?",
	"SedonaKepler.create_map(df=sedona.table('demo.buildings'))",
	'%%sql\nSELECT 1',
	'!ls data\ndisplay(n)',
]);
