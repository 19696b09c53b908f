import { describePart } from './suite';
import { withoutCase } from './subjects';

it('has a use for every operation of the node and every event of the trigger', () => {
	expect(withoutCase).toEqual([]);
});

describePart('slow');
