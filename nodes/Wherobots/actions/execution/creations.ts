import type { Failure, RecordFacts } from '../../transport/failure';
import { lines } from '../../transport/text';

/** Maximum number of records named in the description of an error; its facts have them all. */
const MAX_NAMED = 20;

type OfItem<T> = T & { itemIndex: number };

/** What a node's items created or may have created, for the errors of the other items. */
export class Creations {
	private readonly created: Array<OfItem<RecordFacts>> = [];
	private open: Array<OfItem<{ name: string }>> = [];

	/** Notes a record that an item created. The item's uncertain record is then resolved. */
	noteCreated(itemIndex: number, record: RecordFacts): void {
		this.open = this.open.filter((each) => each.itemIndex !== itemIndex);
		if (this.created.some((each) => each.itemIndex === itemIndex && each.id === record.id)) return;
		this.created.push({ ...record, itemIndex });
	}

	noteUncertain(itemIndex: number, record: { name: string }): void {
		this.open = this.open.filter((each) => each.itemIndex !== itemIndex);
		this.open.push({ ...record, itemIndex });
	}

	/** Adds the others' records to an item's error: a node that fails has no output to show them. */
	withOthers(failure: Failure, itemIndex: number): Failure {
		const others = <T extends { itemIndex: number }>(all: T[]) =>
			all
				.filter((each) => each.itemIndex !== itemIndex)
				.sort((one, two) => one.itemIndex - two.itemIndex);
		const created = others(this.created);
		const open = others(this.open);
		if (created.length + open.length === 0) return failure;
		const names = created.map(({ id, name }) => (name ? `${id} (${name})` : id));
		return failure.withContext({
			after: lines(
				created.length > 0 && `Already created for other items: ${listed(names)}.`,
				open.length > 0 &&
					`May have been created for other items: ${listed(open.map(({ name }) => name))}.`,
			),
			facts: {
				...(created.length > 0 ? { alsoCreated: created } : {}),
				...(open.length > 0 ? { alsoAmbiguous: open } : {}),
			},
		});
	}
}

function listed(names: string[]): string {
	const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
	return names.slice(0, MAX_NAMED).join(', ') + more;
}
