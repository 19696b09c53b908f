/**
 * Well-known text (OGC 06-103r4), checked in one pass. The engine reads some malformed text, too, and
 * makes another geometry of it: it ignores what follows the last parenthesis.
 */

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

const TYPES =
	/^(POINT|LINESTRING|POLYGON|MULTIPOINT|MULTILINESTRING|MULTIPOLYGON|GEOMETRYCOLLECTION)(ZM?|M)?$/;

const DIMENSIONS = /^(ZM?|M)$/;

/** Of collections in each other, which the engine reads by calling itself. */
const MOST_NESTED = 100;

/** In degrees, about ten centimeters: how far calculations round beyond a pole. */
const TOLERANCE = 1e-6;

type Place = [x: number, y: number];

export interface CheckedWkt {
	/** What is wrong with it, as a sentence without a period. */
	problem?: string;
	/** The first coordinates that cannot be longitude and latitude; longitudes may continue up to 360. */
	notDegrees?: string;
	/** Whether all coordinates can be latitude and longitude then. */
	maySwap?: boolean;
}

/** Checks WKT that names no coordinate system. */
export function checkWkt(text: string): CheckedWkt {
	const reader = new WktReader(text);
	try {
		reader.geometry(0);
		reader.end();
		const { notDegrees, maySwap } = reader;
		return { notDegrees, maySwap: notDegrees === undefined ? undefined : maySwap };
	} catch (error) {
		return { problem: (error as RangeError).message };
	}
}

/** Its methods throw a RangeError with what is wrong. */
class WktReader {
	notDegrees?: string;

	maySwap = true;

	private readonly tokens = /[ \t\r\n]*([(),]|[^(), \t\r\n]*)/y;

	/** The next one, in capitals, and where it is; empty at the end. */
	private token = '';

	private at = 0;

	constructor(private readonly text: string) {
		this.next();
	}

	geometry(depth: number): void {
		if (depth > MOST_NESTED) this.fail('Its collections are nested too deeply');
		const [, type, glued] = TYPES.exec(this.token) ?? [];
		if (type === undefined) this.unexpected('a type such as POINT');
		this.next();
		const dimensions = glued ?? (DIMENSIONS.test(this.token) ? this.next() : '');
		const position = () => this.position(dimensions);
		const path = () => this.path(position);
		const rings = () => this.rings(position);
		const contents: Record<string, () => unknown> = {
			POINT: () => this.point(position),
			LINESTRING: path,
			POLYGON: rings,
			MULTIPOINT: () => this.points(position),
			MULTILINESTRING: () => this.list(path),
			MULTIPOLYGON: () => this.list(rings),
			GEOMETRYCOLLECTION: () => this.list(() => this.geometry(depth + 1)),
		};
		contents[type]();
	}

	end(): void {
		if (this.token !== '') this.unexpected('the end of the text');
	}

	private point(position: () => Place): void {
		if (this.list(position).length > 1) this.fail('A point has several positions');
	}

	/** Each of them in parentheses of its own, or none. */
	private points(position: () => Place): void {
		let isPlain: boolean | undefined;
		this.list(() => {
			isPlain ??= this.token !== '(' && this.token !== 'EMPTY';
			if (isPlain) position();
			else this.point(position);
		});
	}

	private path(position: () => Place): void {
		if (this.list(position).length === 1) this.fail('A line has only one position');
	}

	private rings(position: () => Place): void {
		const lengths = this.list(() => {
			const ring = this.list(position);
			const [[x, y], last] = [ring[0] ?? [], ring.at(-1) ?? []];
			if (x !== last[0] || y !== last[1]) this.fail('A ring does not end where it begins');
			if (ring.length > 0 && ring.length < 4) this.fail('A ring has fewer than four positions');
			return ring.length;
		});
		if (lengths[0] === 0 && lengths.some(Boolean)) this.fail('A polygon has holes and no shell');
	}

	private position(dimensions: string): Place {
		const from = this.at;
		const numbers: number[] = [];
		while (!'(),'.includes(this.token)) {
			const number = NUMBER.test(this.token) ? Number(this.token) : NaN;
			// Heights and measures may be unknown.
			const isUnknown = numbers.length > 1 && this.token === 'NAN';
			if (!Number.isFinite(number) && !isUnknown) this.unexpected('a number');
			numbers.push(number);
			this.next();
		}
		const counts = dimensions === '' ? [2, 3] : [2 + dimensions.length];
		if (!counts.includes(numbers.length)) {
			this.unexpected(`${counts.join(' or ')} numbers with a space between them`);
		}
		const [x, y] = numbers;
		this.maySwap &&= Math.abs(x) <= 90 && Math.abs(y) <= 180;
		if (Math.abs(x) > 360 + TOLERANCE || Math.abs(y) > 90 + TOLERANCE) {
			this.notDegrees ??= this.text.slice(from, this.at).trim().slice(0, 60);
		}
		return [x, y];
	}

	/** What stands in parentheses, separated by commas; nothing for EMPTY. */
	private list<T>(each: () => T): T[] {
		const list: T[] = [];
		if (this.takes('EMPTY')) return list;
		if (!this.takes('(')) this.unexpected('a parenthesis or EMPTY');
		do list.push(each());
		while (this.takes(','));
		if (!this.takes(')')) this.unexpected('a comma or a closing parenthesis');
		return list;
	}

	private takes(token: string): boolean {
		const isNext = this.token === token;
		if (isNext) this.next();
		return isNext;
	}

	/** Goes on to the next token. @returns the one before it */
	private next(): string {
		const before = this.token;
		const [, found = ''] = this.tokens.exec(this.text) ?? [];
		this.token = found.toUpperCase();
		this.at = this.tokens.lastIndex - found.length;
		return before;
	}

	/** @param what should be there instead of the next token */
	private unexpected(what: string): never {
		const token = this.text.slice(this.at, this.at + Math.min(this.token.length, 20));
		const before = this.before();
		if (before === '') throw new RangeError(`"${token}" is not ${what}`);
		if (token === '') throw new RangeError(`It ends after "${before}", without ${what}`);
		throw new RangeError(`After "${before}" there must be ${what}, not "${token}"`);
	}

	private fail(what: string): never {
		throw new RangeError(`${what}: ${this.before()}`);
	}

	/** The text before the next token, or the last of it. */
	private before(): string {
		const from = Math.max(0, this.at - 25);
		return `${from > 0 ? '…' : ''}${this.text.slice(from, this.at).trim()}`;
	}
}
