import fc from 'fast-check';
import { IANAZone } from 'luxon';

import { parseTime, type Micros } from '../../../nodes/Wherobots/service/time';

const QUARTER_MS = 91 * 86_400_000;

/** Where clocks have changed by half an hour, hours do not meet. */
function changesByHalfAnHour(name: string): boolean {
	const zone = IANAZone.create(name);
	const minutes = new Set<number>();
	for (let ms = Date.UTC(1995, 0); ms < Date.UTC(2037, 0); ms += QUARTER_MS) {
		minutes.add(((zone.offset(ms) % 60) + 60) % 60);
	}
	return minutes.size > 1;
}

/** Every other zone that the platform knows, some of which change clocks at midnight or skip a day. */
export const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC'].filter(
	(name) => !changesByHalfAnHour(name),
);
export const zone = fc.oneof(
	fc.constantFrom(...ZONES),
	fc.constantFrom(
		'America/Havana',
		'Africa/Cairo',
		'Asia/Beirut',
		'America/St_Johns',
		'Asia/Kathmandu',
		'America/Sao_Paulo',
		'Pacific/Apia',
	),
);
const micros = (from: string, to: string) =>
	fc.integer({ min: parseTime(from) as Micros, max: parseTime(to) as Micros });
export const anyTime = micros('1995-01-01T00:00:00Z', '2037-01-01T00:00:00Z');
export const HOUR = 3_600_000_000;
