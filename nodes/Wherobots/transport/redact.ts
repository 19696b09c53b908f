/** Shorter texts are no secrets, and replacing them would garble answers. */
const MIN_SECRET_LENGTH = 8;

/** Replaces every occurrence of the secrets in a text, so that an answer that echoes them leaks nothing. */
export function redact(text: string, secrets: readonly string[]): string {
	let clean = text;
	for (const secret of secrets) {
		if (secret.length >= MIN_SECRET_LENGTH && clean.includes(secret)) {
			clean = clean.replaceAll(secret, '***');
		}
	}
	return clean;
}
