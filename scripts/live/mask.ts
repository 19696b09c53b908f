/**
 * Keeps an account out of a report. What checks write contains no values of the service except for the
 * texts of its errors; this is the second line of defence, applied to the whole report.
 */
import { isRecord } from './shape';

const MASKED = '(masked)';

/** Shorter values would hide ordinary words. */
const MIN_LENGTH = 4;

const PATTERNS = [
	/\b(https?|wss?|s3a?):\/\/[^\s'"`)|]+/gi,
	/[\w.+-]+@[\w-]+\.[\w.-]+/g,
	/\b\d{1,3}(\.\d{1,3}){3}\b/g,
	/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/gi,
	/\bbyoc-[\w-]+/gi,
	/\barn:[\w:/-]+/gi,
];

/** Constants of the service, such as COMPLETED or aws-us-west-2. */
const CONSTANT = /^([A-Z][A-Z0-9_]*|aws(-[a-z]+)+-\d)$/;

/** A value where it stands alone, not within a longer word. */
const wholeWord = (value: string) =>
	new RegExp(`(?<!\\w)${value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`, 'g');

/** Fields whose texts are the service's own. */
const PUBLIC_FIELDS = ['action_name', 'code', 'kind', 'status', 'state', 'type', 'format'];

export class Mask {
	private readonly values = new Set<string>();

	/**
	 * @param secrets hidden wherever they appear
	 * @param vocabulary our own texts: what appears in them is not hidden
	 */
	constructor(
		private readonly secrets: string[],
		private readonly vocabulary: string,
	) {}

	/** Remembers every text in a response, and the parts of those that are paths. */
	learn(value: unknown, field = ''): void {
		if (Array.isArray(value)) value.forEach((each) => this.learn(each, field));
		else if (isRecord(value)) {
			for (const [name, each] of Object.entries(value)) this.learn(each, name);
		} else if (typeof value === 'string' && !PUBLIC_FIELDS.includes(field)) {
			for (const part of [value, ...value.split(/[/\s,]+/)]) this.add(part, field);
		}
	}

	private add(text: string, field: string): void {
		// Names, too, may look like constants.
		const isNamed = /name$|^email$|id$/i.test(field);
		if (text.length < MIN_LENGTH || this.vocabulary.includes(text)) return;
		if (isNamed || !CONSTANT.test(text)) this.values.add(text);
	}

	/** A text in which nothing is left of what was learned. */
	apply(text: string): string {
		let masked = text;
		for (const secret of this.secrets) masked = masked.replaceAll(secret, MASKED);
		for (const pattern of PATTERNS) masked = masked.replace(pattern, MASKED);
		const longestFirst = [...this.values].sort((one, other) => other.length - one.length);
		for (const value of longestFirst) {
			if (masked.includes(value)) masked = masked.replace(wholeWord(value), MASKED);
		}
		return masked;
	}
}
