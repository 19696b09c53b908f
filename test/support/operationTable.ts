/** The table of operations in the README. */
import { resources } from '../../nodes/Wherobots/actions';

/** The first rows that begin with a bold name. */
const ROWS = /(?:^\| \*\*.+\|\n)+/m;

/**
 * The README with all operations in its table, by their names: those that stand there keep their links
 * and what is said of them, others are added, and those that are gone are left out. The order of the
 * resources is its own; a new one comes last.
 */
export function withOperations(readme: string): string {
	const rows = [...(ROWS.exec(readme)?.[0] ?? '').matchAll(/^\| \*\*(.+?)\*\* \| (.+?) \|$/gm)];
	const known = new Map(rows.map(([, resource, entries]) => [resource, entries.split(' · ')]));
	const offered = new Map(
		resources.map((resource) => [
			resource.name,
			resource.operations.map(({ name }) => name).sort(),
		]),
	);
	const names = [...new Set([...known.keys(), ...offered.keys()])].filter((name) =>
		offered.has(name),
	);
	const lines = names.map((name) => {
		const entries = offered
			.get(name)
			?.map(
				(operation) => known.get(name)?.find((each) => nameIn(each) === operation) ?? operation,
			);
		return `| **${name}** | ${entries?.join(' · ')} |\n`;
	});
	return readme.replace(ROWS, () => lines.join(''));
}

/** `[Get Cost](docs/cost.md)` and `Create (and wait for it)` without what is said of them. */
function nameIn(entry: string): string {
	return entry.replace(/^\[(.+?)\].*/, '$1').replace(/ \(.*/, '');
}
