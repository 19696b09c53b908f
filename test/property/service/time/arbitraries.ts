import fc from 'fast-check';

import { parseTime, type Micros } from '../../../../nodes/Wherobots/service/time/time';

/** Every zone that the platform knows, some of which change clocks at midnight, by half an hour, or skip a day. */
export const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
export const zone = fc.oneof(
	fc.constantFrom(...ZONES),
	fc.constantFrom(
		'America/Havana',
		'Australia/Lord_Howe',
		'Africa/Cairo',
		'Asia/Beirut',
		'America/St_Johns',
		'Asia/Kathmandu',
		'America/Sao_Paulo',
		'Pacific/Apia',
	),
);
export const micros = (from: string, to: string) =>
	fc.integer({ min: parseTime(from) as Micros, max: parseTime(to) as Micros });
export const anyTime = micros('1995-01-01T00:00:00Z', '2037-01-01T00:00:00Z');
export const HOUR = 3_600_000_000;
