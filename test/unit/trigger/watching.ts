import type { IPollFunctions } from 'n8n-workflow';

import { Input } from '../../../nodes/Wherobots/parameters/input';
import { events } from '../../../nodes/Wherobots/trigger/events';
import type { Watch } from '../../../nodes/Wherobots/trigger/events/event';

/** What a trigger with these parameters watches; other parameters have their defaults. */
export function watching(event: string, parameters: Record<string, unknown> = {}): Watch {
	const context = {
		getNode: () => ({ name: 'Wherobots Trigger' }),
		getTimezone: () => 'UTC',
		getNodeParameter: (path: string, unset: unknown) =>
			Object.hasOwn(parameters, path) ? parameters[path] : unset,
	};
	return events[event].read(new Input(context as unknown as IPollFunctions));
}
