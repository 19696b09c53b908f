/**
 * Keeps an account out of a report. Every text of the service gets other words of the same form, the same
 * ones wherever it appears: whoever reads the report still sees which record belongs to which, and a
 * replay of it still finds them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { isRecord } from '../../nodes/Wherobots/service/records';
import { REPOSITORY } from '../lib/paths';

const toWords = (text: string) => new Set(text.trim().split(/\s+/));

/** Fields whose texts are the service's own. */
const PUBLIC_FIELDS = toWords(`
	action_name appType apiVersion code currency effect format format-version kind nullability operation
	provider reason resolved_version runSource sessionType size state status tableType type unit version
	workloadType documentation_url X-Amz-Expires runtime runtimeId
`);

/** Fields with sentences, of which the words of this package are no secret. */
const PROSE = toWords('raw line message details suggestion description');

/** Records whose keys are the user's. */
const MAPS = toWords(
	'costs inputs options properties refs results sparkConfigs sparkConfiguration summary tags',
);

/** Parts of names that say nothing. */
const PLAIN = toWords(`
	s3 s3a https http wss ws csv json py jar parquet geojson data shared aws us eu ap ca sa east west south
	north central northeast southeast user_files byoc true false null localhost storage files sql runs
	main Amz Expires GMT UTC TIMESTAMP DATE DOUBLE n8n live check
`);

const CONSTANT = /^([A-Z][A-Z0-9_]*|aws(-[a-z]+)+-\d)$/;
const TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d[\d:.]*(Z|[+-]\d\d:?\d\d)?)?$/;
const WORD = /[\p{L}\p{N}_]+/gu;
/** Values shorter than this would hide ordinary words of a sentence. */
const SHORTEST = 4;

/** A number of seconds, or a thousandth and so on of them, between 2015 and 2040. */
function isUnixTime(digits: string): boolean {
	const seconds = Number(digits.slice(0, 10));
	return [10, 13, 16, 19].includes(digits.length) && seconds > 1.42e9 && seconds < 2.21e9;
}

/** The words of this package's own texts and names, those above among them. */
function readVocabulary(): Set<string> {
	const read = (folder: string) =>
		readdirSync(path.join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
			// The cities that maps know are an account's own, too.
			.filter((name) => name.endsWith('.ts') && !name.endsWith('places.ts'))
			.map((name) => readFileSync(path.join(REPOSITORY, folder, name), 'utf8'));
	return new Set([...read('nodes'), ...read('scripts/live')].join('\n').match(WORD));
}

export class Mask {
	private readonly words = new Map<string, string>();

	/** Texts of the account that sentences may repeat. */
	private readonly values = new Set<string>();

	private longestFirst?: string[];

	private readonly vocabulary = readVocabulary();

	/** @param secrets hidden wherever they appear */
	constructor(private readonly secrets: string[]) {}

	/** A value of the service with every text in it masked. */
	json(value: unknown, field = '', isMap = false): unknown {
		if (Array.isArray(value)) return value.map((each) => this.json(each, field));
		if (isRecord(value)) {
			return Object.fromEntries(
				Object.entries(value).map(([key, each]) => [
					isMap || !/^[A-Za-z][\w-]*$/.test(key) ? this.name(key) : key,
					this.json(each, key, MAPS.has(key)),
				]),
			);
		}
		if (typeof value === 'number' && /id$/i.test(field) && value > 99_999) {
			return Number(this.word(String(value)));
		}
		if (typeof value !== 'string' || value === '') return value;
		if (PROSE.has(field)) return this.prose(value);
		const isNamed = /name$|^email$|id$|key$/i.test(field) && !/^runtime|region/i.test(field);
		if (TIME.test(value) || PUBLIC_FIELDS.has(field)) return value;
		if (!isNamed && CONSTANT.test(value)) return value;
		if (!isNamed && /^\d+(\.\d+)?$/.test(value) && (value.length < 10 || isUnixTime(value))) {
			return value;
		}
		return this.name(value);
	}

	/** A name, an address or a path with its form. */
	name(text: string): string {
		if (!/n8n[-_]live[-_]check/.test(text)) this.learn(text);
		return this.hide(text).replace(WORD, (word) =>
			PLAIN.has(word) || word.startsWith('n8n_live_check') ? word : this.word(word),
		);
	}

	/** A sentence: of its words, those of this package and nothing else stay. */
	prose(text: string): string {
		let hidden = this.hide(text);
		this.longestFirst ??= [...this.values].sort((one, other) => other.length - one.length);
		for (const value of this.longestFirst) {
			if (hidden.includes(value)) hidden = hidden.replaceAll(value, this.name(value));
		}
		return hidden.replace(WORD, (word) =>
			this.vocabulary.has(word) || /^(\d{1,6}|n8n_live_check\w*)$/.test(word) || isUnixTime(word)
				? word
				: this.word(word),
		);
	}

	private learn(text: string): void {
		// What is a word of this package's own says nothing of an account.
		for (const part of [text, ...text.split(/[/\s,]+/)]) {
			if (part.length < SHORTEST || this.vocabulary.has(part) || this.values.has(part)) continue;
			this.values.add(part);
			this.longestFirst = undefined;
		}
	}

	private hide(text: string): string {
		let hidden = text;
		for (const secret of this.secrets) hidden = hidden.replaceAll(secret, 'secret');
		return hidden.replace(/\b\d{1,3}(\.\d{1,3}){3}\b/g, '203.0.113.1');
	}

	/** Another word for a word: digits for digits. */
	private word(word: string): string {
		if (/^(w\d+x|\d{1,5}|secret)$/.test(word)) return word;
		const known = this.words.get(word);
		if (known !== undefined) return known;
		const number = this.words.size + 1;
		const other = /^\d+$/.test(word) ? String(number).padStart(word.length, '7') : `w${number}x`;
		this.words.set(word, other);
		return other;
	}
}
