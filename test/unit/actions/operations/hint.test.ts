import type { IExecuteFunctions } from 'n8n-workflow';

import { addHint } from '../../../../nodes/Wherobots/actions/operations/operation';

it('shows a hint where n8n supports hints', () => {
	const hints: unknown[] = [];
	const context = {
		hints,
		addExecutionHints(this: { hints: unknown[] }, hint: unknown) {
			this.hints.push(hint);
		},
	};
	addHint(context as unknown as IExecuteFunctions, { message: 'More may come' });
	expect(hints).toEqual([{ message: 'More may come' }]);
});

it('does nothing where n8n does not', () => {
	expect(() => addHint({} as IExecuteFunctions, { message: 'More may come' })).not.toThrow();
});
