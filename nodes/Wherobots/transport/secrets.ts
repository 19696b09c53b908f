/** What nobody may see: the secrets of a credential, and the queries of presigned URLs. */

/** Shorter texts are not secrets; replacing them would garble responses. */
const MIN_SECRET_LENGTH = 8;

const isLongEnough = (text: string) => text.length >= MIN_SECRET_LENGTH;

const MASK = '***';

/** The secrets of a list that are long enough, the longest first: masking a prefix first would leave the rest. */
interface Hidden {
	secrets: string[];
	/** They, and what they say where one looks like an escape itself. */
	readings: string[];
	shortest: number;
	/** All their spellings. It takes long to compile, and is needed only where one of them is found. */
	pattern?: RegExp;
}

/** By list of secrets, which is the same array from one response to the next. */
const known = new WeakMap<readonly string[], Hidden>();

function toHidden(list: readonly string[]): Hidden {
	let hidden = known.get(list);
	if (!hidden) {
		const secrets = list.filter(isLongEnough);
		secrets.sort((a, b) => b.length - a.length);
		const readings = secrets.flatMap(decodeSpellings).filter(isLongEnough);
		hidden = { secrets, readings, shortest: Math.min(...readings.map(({ length }) => length)) };
		known.set(list, hidden);
	}
	return hidden;
}

/** Masks the secrets in a text, however JSON, URLs and HTML spell their characters, in case a response echoes them. */
function mask(text: string, hidden: Hidden): string {
	if (text.length < hidden.shortest || !hasSecret(text, hidden)) return text;
	hidden.pattern ??= new RegExp(
		hidden.secrets.map((secret) => secret.split('').map(spellCharacter).join('')).join('|'),
		'g',
	);
	const clean = text.replace(hidden.pattern, MASK);
	return hasSecret(clean, hidden) ? MASK : clean;
}

function hasSecret(text: string, { readings }: Hidden): boolean {
	// Millions of texts have neither.
	for (const each of readings) if (text.includes(each)) return true;
	if (!hasEscape(text)) return false;
	return decodeSpellings(text).some((plain) => readings.some((each) => plain.includes(each)));
}

/** Whether a text, or what JSON has in it, may show a secret, by a quick look. @param text or its UTF-8 bytes */
export function hasPossibleSecret(text: string | Buffer, secrets: readonly string[]): boolean {
	const isEscaped =
		typeof text === 'string'
			? hasEscape(text)
			: ['%', '\\', '&'].some((each) => text.includes(each));
	return isEscaped || toHidden(secrets).readings.some((each) => text.includes(each));
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Where a character is spelled in another way: in JSON, a URL or HTML. */
const ESCAPE = /%[\da-f]{2}|\\(?:u00|["'/\\])|&(?:#|amp|lt|gt|quot)/i;
const ESCAPES =
	/(?:%|\\u00|&#x0{0,6})([\da-f]{2});?|\\(["'/\\])|&#0{0,6}(\d{2,3});|&(amp|lt|gt|quot);/gi;

/** The characters alone are found much faster. */
function hasEscape(text: string): boolean {
	return (text.includes('%') || text.includes('\\') || text.includes('&')) && ESCAPE.test(text);
}

/** A text, and what it says without such spellings, which may be on top of each other. */
function decodeSpellings(text: string): string[] {
	const found = [text];
	for (let plain = text; found.length < 6 && hasEscape(plain); found.push(plain)) {
		plain = plain.replace(ESCAPES, (_, hex, own, decimal, entity) => {
			if (hex) return String.fromCharCode(parseInt(hex as string, 16));
			if (decimal) return String.fromCharCode(Number(decimal));
			return (own as string) ?? ENTITIES[(entity as string).toLowerCase()];
		});
	}
	return found;
}

/** A pattern for the usual spellings of a character. */
function spellCharacter(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16).padStart(2, '0');
	const digits = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
	const name = Object.keys(ENTITIES).find((each) => ENTITIES[each] === character);
	const literal = `\\u${hex.padStart(4, '0')}`;
	const own = /["'/\\]/.test(character) ? `\\\\{0,8}${literal}` : literal;
	const entity = `&(?:amp;){0,4}(?:#0{0,6}${code}|#[xX]0{0,6}${digits}${name ? `|${name}` : ''});`;
	return `(?:${own}|\\\\{1,8}u00${digits}|%(?:25){0,4}${digits}|${entity})`;
}

/** Where the query of a URL begins that may have been encoded to be part of another text. */
const QUERY = /\?|%(?:25){0,4}3f|\\u003f|&#(?:63|x3f);/i;

/** What makes a URL a presigned one: S3 (both forms), Google, Azure. */
const SIGNED =
	/[?&;](?:X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|Signature|AWSAccessKeyId|sig)=/i;

/** A word, and the lines on which it goes on where a URL has been wrapped: no other words are on them. */
const WORDS =
	/[^\s"'<>]+(?:[\t ]*\r?\n[\t ]*(?:[^\s"'<>=&%]*[=&%][^\s"'<>]*|[\w.~+/-]+(?=[\t ]*(?:\r?\n|$))))*/g;

/** The text with the queries of presigned URLs masked, which grant access to anyone. */
export function redactSignatures(text: string): string {
	if (!QUERY.test(text)) return text;
	return text.replace(WORDS, (word) => {
		const start = word.search(QUERY);
		const query = start < 0 ? '' : word.slice(start).replace(/\s/g, '');
		return decodeSpellings(query).some((plain) => SIGNED.test(plain))
			? `${word.slice(0, start)}?${MASK}`
			: word;
	});
}

/** A parsed value whose texts and names have the secrets masked; the value itself is changed. */
export function redactSecrets<T>(value: T, secrets: readonly string[]): T {
	// A result has millions of these.
	if (typeof value === 'number') return value;
	const hidden = toHidden(secrets);
	if (typeof value === 'string') return mask(value, hidden) as typeof value;
	return changeTexts(value, (text) => mask(text, hidden));
}

/** As `redactSecrets`, for what explains an error: nobody asked for a presigned URL there. */
export function cleanForErrors<T>(value: T, secrets: readonly string[]): T {
	const hidden = toHidden(secrets);
	return changeTexts(value, (text) => redactSignatures(mask(text, hidden)));
}

/** Changes all texts in a value, however deeply it is nested. Bytes stay as they are. */
function changeTexts<T>(value: T, change: (text: string) => string): T {
	const root = [value];
	const pending: object[] = [root];
	const changed = (inner: unknown) => {
		if (typeof inner === 'string') return change(inner);
		if (typeof inner === 'object' && inner !== null && !ArrayBuffer.isView(inner)) {
			pending.push(inner);
		}
		return inner;
	};
	for (let next = pending.pop(); next; next = pending.pop()) {
		if (Array.isArray(next)) {
			for (let at = 0; at < next.length; at++) next[at] = changed(next[at]);
			continue;
		}
		const members = next as Record<string, unknown>;
		for (const name of Object.keys(members)) {
			const inner = changed(members[name]);
			const shown = change(name);
			if (shown !== name) delete members[name];
			if (shown !== name || inner !== members[name]) members[shown] = inner;
		}
	}
	return root[0];
}

/** Names of values that give access to something, without what joins their words, and of others like them. */
const SECRET_NAME =
	/secret|passw(or)?d|passphrase|pwd|credential|signature|privatekey|(access|account|shared|signing|encryption)key|apikeys?$|^key$|authorization|cookie|jwt|(presigned|upload|download)url|connectionstring|token(s|value)?$/;
const SHOWN_NAME = /(page|next|cursor|continuation)token$|^partial\w*key$/;

function isSecretName(name: string): boolean {
	const plain = name.toLowerCase().replace(/[^a-z]/g, '');
	return SECRET_NAME.test(plain) && !SHOWN_NAME.test(plain);
}

/** Whether a text looks like JSON in which a member has such a name. */
export function hasSecretName(text: string): boolean {
	return [...text.matchAll(/"([^"\\]{1,100})"\s*:/g)].some(([, name]) => isSecretName(name));
}

const HIDDEN = '[hidden: its name says that it is a secret]';

/**
 * A response whose secrets, which only their names tell, are hidden, with all texts inside of them; records
 * in a list have names of their own. The value itself is changed.
 */
export function redactByName<T>(value: T): T {
	const root = [value];
	const pending: Array<[holder: object, isSecret: boolean]> = [[root, false]];
	for (let next = pending.pop(); next; next = pending.pop()) {
		const [holder, isInside] = next;
		const isList = Array.isArray(holder);
		const members = holder as Record<string, unknown>;
		for (const name of Object.keys(holder)) {
			const inner = members[name];
			// The key of a group of records is an object.
			const isKeyOfGroup = name === 'key' && typeof inner === 'object' && !Array.isArray(inner);
			const isSecret = isInside || (!isList && !isKeyOfGroup && isSecretName(name));
			if (typeof inner === 'string' && isSecret && inner !== '') members[name] = HIDDEN;
			if (typeof inner !== 'object' || inner === null) continue;
			const isRecords = Array.isArray(inner) && inner.some((each) => typeof each === 'object');
			pending.push([inner, isSecret && !isRecords]);
		}
	}
	return root[0];
}
