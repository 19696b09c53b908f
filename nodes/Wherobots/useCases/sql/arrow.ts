import type { Column as ArrowColumn, DataType } from '@uwdata/flechette';

import { readArrow, TimeUnit, Type } from './checkArrow';

/** A column of a result. */
export interface Column {
	name: string;
	/** The values as they were sent. */
	values: ArrayLike<unknown>;
	/** Such a value as JSON has it, except that binary ones are still bytes. */
	read: (value: unknown) => unknown;
	/** The bytes of all texts, if they are nothing else. */
	texts?: Buffer[];
}

/** Units in a second, by the unit of a time. */
const PER_SECOND: Record<number, bigint> = {
	[TimeUnit.SECOND]: 1n,
	[TimeUnit.MILLISECOND]: 1_000n,
	[TimeUnit.MICROSECOND]: 1_000_000n,
	[TimeUnit.NANOSECOND]: 1_000_000_000n,
};

/** Furthest time of a JavaScript date, in milliseconds. */
const MAX_DATE_MS = 8.64e15;

const DAY_SECONDS = 86_400;

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** The date that times of day have. */
const EPOCH = '1970-01-01';

/**
 * The columns of an Arrow IPC stream. Values that JSON lacks are text: numbers that a JavaScript number
 * cannot hold as their digits, `NaN` and `Infinity` by name, times and durations as ISO 8601.
 *
 * @throws Error when the bytes are no such stream, or not all of it
 */
export function decodeArrow(bytes: Uint8Array): Column[] {
	// Numbers of 64 bits are read in place, where their address has to be a multiple of eight.
	const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
	const { schema, children } = readArrow(aligned);
	return schema.fields.map(({ name, type }, index) => {
		const column = children[index];
		const texts = type.typeId === Type.Utf8 ? attachTexts(column) : undefined;
		return { name, values: column.toArray(), read: getConverter(type), texts };
	});
}

/**
 * Has texts decoded by Node.js: the reader itself takes several times as long.
 *
 * @returns the bytes of all of them
 */
function attachTexts(column: ArrowColumn<unknown>): Buffer[] {
	return column.data.map((batch) => {
		const { buffer, byteOffset, byteLength } = batch.values as Uint8Array;
		const bytes = Buffer.from(buffer, byteOffset, byteLength);
		const offsets = batch.offsets as Int32Array;
		batch.value = (at) => bytes.toString('utf8', offsets[at], offsets[at + 1]);
		return bytes;
	});
}

type Convert = (value: unknown) => unknown;

/** How values of a type become JSON; each takes null, too. */
function getConverter(type: DataType): Convert {
	const convert = getValueConverter(type);
	return (value) => (value === null || value === undefined ? null : convert(value));
}

function getValueConverter(type: DataType): Convert {
	switch (type.typeId) {
		case Type.Int:
			return toInteger;
		case Type.Float:
			return type.precision === 2
				? toPlainNumber
				: (value) => toPlainNumber(toSingle(value as number));
		case Type.Decimal:
			return (value) =>
				toExact(insertPoint(requirePrecision(value as bigint, type.precision), type.scale));
		case Type.Date:
			return (value) => {
				if ((value as number) % (1_000 * DAY_SECONDS) !== 0) throw new Error('a date has a time');
				return toIso(value as number)?.split('T')[0] ?? String(value);
			};
		case Type.Timestamp:
			return createTimestampConverter(type.unit, type.timezone ? 'Z' : '') as Convert;
		case Type.Time: {
			const written = createTimestampConverter(type.unit, '');
			return (value) => {
				const [date, time] = written(BigInt(value as number)).split('T');
				if (date !== EPOCH) throw new Error('a time of day is beyond its day');
				return time;
			};
		}
		case Type.Duration:
			return (value) => formatDuration({ parts: BigInt(value as bigint), unit: type.unit });
		case Type.Interval:
			return formatInterval;
		case Type.List: {
			const element = getConverter(type.children[0].type);
			return (value) => Array.from(value as ArrayLike<unknown>, (each) => toText64(element(each)));
		}
		case Type.Struct: {
			const fields = type.children.map(({ name, type: inner }) => ({
				name,
				of: getConverter(inner),
			}));
			return (value) => {
				const record = value as Record<string, unknown>;
				return Object.fromEntries(fields.map(({ name, of }) => [name, toText64(of(record[name]))]));
			};
		}
		case Type.Map: {
			const [key, each] = (type.children[0].type as { children: Array<{ type: DataType }> })
				.children;
			const [keyOf, valueOf] = [getConverter(key.type), getConverter(each.type)];
			return (value) =>
				Object.fromEntries(
					(value as Array<[unknown, unknown]>).map(([name, inner]) => [
						toKeyText(toText64(keyOf(name))),
						toText64(valueOf(inner)),
					]),
				);
		}
		default:
			return toInteger;
	}
}

/** A number where JavaScript holds it exactly, otherwise its digits; anything else as it is. */
function toInteger(value: unknown): unknown {
	if (typeof value !== 'bigint') return value;
	const number = Number(value);
	return Number.isSafeInteger(number) ? number : String(value);
}

/** A decimal as a number where JavaScript holds it exactly, otherwise its digits. */
function toExact(digits: string): unknown {
	const number = Number(digits);
	// Fifteen digits are always exact.
	const isExact =
		digits.length < 16 || formatSignificant(digits) === formatSignificant(String(number));
	return isExact && Number.isSafeInteger(Math.trunc(number)) ? number : digits;
}

/** The digits of a number without zeros at its ends, the same for all its notations. */
function formatSignificant(number: string): string {
	return number.replace(/e.*|[-.]/g, '').replace(/^0+|(?<!0)0+$/g, '');
}

function toPlainNumber(value: unknown): unknown {
	return Number.isFinite(value) ? value : String(value);
}

/** A 32-bit number with the digits that are its own: 0.1 rather than 0.10000000149. */
function toSingle(value: number): number {
	for (let digits = 6; digits < 9; digits++) {
		const short = Number(value.toPrecision(digits));
		if (Math.fround(short) === value) return short;
	}
	return value;
}

/** A decimal that has no more digits than its type. */
function requirePrecision(value: bigint | number, precision: number): bigint | number {
	const digits = String(value).length - (value < 0 ? 1 : 0);
	if (digits > precision) throw new Error('a decimal has more digits than its type');
	return value;
}

function insertPoint(value: bigint | number, scale: number): string {
	if (scale <= 0) return `${value}${'0'.repeat(-scale)}`;
	const sign = value < 0 ? '-' : '';
	const digits = String(value)
		.replace('-', '')
		.padStart(scale + 1, '0');
	return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** ISO 8601; undefined beyond what JavaScript knows. */
function toIso(ms: number): string | undefined {
	return Math.abs(ms) <= MAX_DATE_MS ? new Date(ms).toISOString() : undefined;
}

/** Writes times with all digits of the unit where there is a fraction of a second, and each date once. */
function createTimestampConverter(unit: number, zone: string): (value: bigint) => string {
	const per = PER_SECOND[unit];
	const width = String(per).length - 1;
	const dates = new Map<number, string>();
	return (value) => {
		const [seconds, fraction] = splitSeconds(value, per);
		const second = ((seconds % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
		const day = seconds - second;
		const date = dates.get(day) ?? toIso(day * 1_000)?.slice(0, -13);
		if (date === undefined) return String(value);
		dates.set(day, date);
		const digits = fraction > 0 ? `.${String(fraction).padStart(width, '0')}` : '';
		// V8 copies only short texts when it joins them, and longer ones keep each of their parts.
		const [time, end] = [formatTimeOfDay(second), `${digits}${zone}`];
		return `${date}${time}${end}`;
	};
}

/** Whole seconds, rounded down, and the units beyond them. */
function splitSeconds(value: bigint, per: bigint): [seconds: number, fraction: number] {
	const [units, second] = [Number(value), Number(per)];
	// Integers of any length take four times as long.
	if (Number.isSafeInteger(units)) {
		const seconds = Math.floor(units / second);
		return [seconds, units - seconds * second];
	}
	const fraction = ((value % per) + per) % per;
	return [Number((value - fraction) / per), Number(fraction)];
}

/** Hours, minutes and seconds of a second of the day. */
function formatTimeOfDay(second: number): string {
	const minute = Math.floor(second / 60);
	return `${TWO_DIGITS[Math.floor(minute / 60)]}:${TWO_DIGITS[minute % 60]}:${TWO_DIGITS[second % 60]}`;
}

/** ISO 8601, such as `P1Y2M3DT4H5M6.5S`; the sign of each group is its own. */
function formatDuration({ months = 0, days = 0, parts = 0n, unit = 0 }): string {
	const per = PER_SECOND[unit];
	const perDay = 86_400n * per;
	const [allDays, rest] = [BigInt(days) + parts / perDay, parts % perDay];
	const seconds = insertPoint(rest % (60n * per), String(per).length - 1).replace(
		/\.?(?<!0)0+$/,
		'',
	);
	const date = [
		[Math.trunc(months / 12), 'Y'],
		[months % 12, 'M'],
		[allDays, 'D'],
	];
	const time = [
		[rest / (3_600n * per), 'H'],
		[(rest / (60n * per)) % 60n, 'M'],
		[seconds, 'S'],
	];
	const written = (group: unknown[][]) =>
		group
			.filter(([count]) => !/^-?0?$/.test(String(count)))
			.map((part) => part.join(''))
			.join('');
	const text = `P${written(date)}${written(time) && `T${written(time)}`}`;
	return text === 'P' ? 'PT0S' : text;
}

/** Months; or months, days and nanoseconds. */
function formatInterval(value: unknown): string {
	if (typeof value === 'number') return formatDuration({ months: value });
	const [months, days, nanoseconds] = value as Iterable<number>;
	return formatDuration({ months, days, parts: BigInt(nanoseconds), unit: TimeUnit.NANOSECOND });
}

/** Keys of JSON objects are text. */
function toKeyText(key: unknown): string {
	return typeof key === 'string' ? key : JSON.stringify(key);
}

/** Bytes inside of lists and objects cannot be geometries: Base64. */
export function toText64(value: unknown): unknown {
	return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
