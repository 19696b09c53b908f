/** JSON in which integers of any size keep all their digits. Bytes are base64, and maps are objects. */
export function toJson(value: unknown): string {
	if (typeof value === 'bigint') return String(value);
	if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64'));
	if (value instanceof Map) return toJson(Object.fromEntries(value));
	if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
	if (typeof value === 'object' && value !== null && !('toJSON' in value)) {
		const parts = Object.entries(value).map(([name, each]) => `${toJson(name)}:${toJson(each)}`);
		return `{${parts.join(',')}}`;
	}
	return JSON.stringify(value) ?? 'null';
}
