/** The headings of a document, by what they can be linked by, as GitHub does it. */
export function headingsOf(document: string): Map<string, string> {
	const headings = [...document.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
	return new Map(
		headings.map((heading) => [
			heading
				.toLowerCase()
				.replace(/[^\p{L}\p{N}\s_-]/gu, '')
				.replaceAll(' ', '-'),
			heading,
		]),
	);
}
