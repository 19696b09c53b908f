/** What is printed while a test runs, which nobody sees then. Call at the top of a file. */
export function suiteWithPrinted(): string[] {
	const printed: string[] = [];
	beforeEach(() => {
		printed.length = 0;
		for (const stream of [process.stdout, process.stderr]) {
			jest.spyOn(stream, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
		}
	});
	afterEach(() => jest.restoreAllMocks());
	return printed;
}
