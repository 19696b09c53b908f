import { Failure } from '../../../../nodes/Wherobots/transport/failure';
import { Creations } from '../../../../nodes/Wherobots/actions/execution/router';

const newFailure = () => new Failure({ message: 'No', description: 'Why' });

/** What an item's error says once it names what was created. */
function namedIn(creations: Creations, itemIndex: number, failure = newFailure()) {
	const named = creations.withOthers(failure, itemIndex);
	return { lines: named.description.split('\n'), facts: named.facts };
}

it('an error names what other items created, in the order of the items, and not what its own item did', () => {
	const creations = new Creations();
	creations.noteCreated(2, { id: 'c' });
	creations.noteCreated(0, { id: 'a', name: 'first' });
	creations.noteCreated(1, { id: 'b' });
	creations.noteCreated(2, { id: 'c' });
	expect(namedIn(creations, 1)).toEqual({
		lines: ['Why', 'Already created for other items: a (first), c.'],
		facts: {
			alsoCreated: [
				{ id: 'a', name: 'first', itemIndex: 0 },
				{ id: 'c', itemIndex: 2 },
			],
		},
	});
});

it('what was certainly created replaces what may have been created for the same item', () => {
	const creations = new Creations();
	creations.noteUncertain(2, { name: 'y' });
	creations.noteUncertain(0, { name: 'old' });
	creations.noteUncertain(0, { name: 'x' });
	expect(namedIn(creations, 3)).toEqual({
		lines: ['Why', 'May have been created for other items: x, y.'],
		facts: {
			alsoAmbiguous: [
				{ name: 'x', itemIndex: 0 },
				{ name: 'y', itemIndex: 2 },
			],
		},
	});
	creations.noteCreated(0, { id: 'a' });
	expect(namedIn(creations, 3).lines).toEqual([
		'Why',
		'Already created for other items: a.',
		'May have been created for other items: y.',
	]);
});

it('the first twenty are named, and the rest are counted', () => {
	const creations = new Creations();
	for (let index = 0; index < 20; index++) creations.noteCreated(index, { id: `r${index}` });
	expect(namedIn(creations, 99).lines[1]).toMatch(/, r19\.$/);
	creations.noteCreated(20, { id: 'r20' });
	const { lines, facts } = namedIn(creations, 99);
	expect(lines[1]).toMatch(/, r19 and 1 more\.$/);
	expect(facts.alsoCreated).toHaveLength(21);
});
