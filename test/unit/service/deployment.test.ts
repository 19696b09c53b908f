import {
	DEFAULT_BASE_URL,
	parseBaseUrl,
	KNOWN_RUNTIMES,
	formatRuntimeName,
} from '../../../nodes/Wherobots/service/deployment';

it.each([
	['', DEFAULT_BASE_URL],
	[' ', DEFAULT_BASE_URL],
	[undefined, DEFAULT_BASE_URL],
	[null, DEFAULT_BASE_URL],
	[' https://api.example.com ', 'https://api.example.com'],
	['https://api.example.com//', 'https://api.example.com'],
	['https://api.example.com:8443/a//b/', 'https://api.example.com:8443/a//b'],
	['https://HOST.example', 'https://host.example'],
	['http://localhost:3000', 'http://localhost:3000'],
	['http://127.0.0.1:1/x', 'http://127.0.0.1:1/x'],
	['http://[::1]/a', 'http://[::1]/a'],
	['http://A.localhost', 'http://a.localhost'],
	['http://127.255.1.99', 'http://127.255.1.99'],
])('the base URL %j is %s', (input, url) => {
	expect(parseBaseUrl(input)).toEqual({ ok: true, url });
});

it.each([
	[7, "'Base URL' must be text, such as https://"],
	[{}, "'Base URL' must be text, such as https://"],
	['example.com', "'Base URL' must start with https://. Enter https://"],
	['ftp://example.com', "'Base URL' must start with https://. Enter https://"],
	['localhost:8787', "'Base URL' must start with https://"],
	['http://localhost.evil.example', "'Base URL' must start with https://, so that the key is not"],
	['http://127.0.0.1.evil.example', "'Base URL' must start with https://, so that the key is not"],
	['http://notlocalhost', "'Base URL' must start with https://, so that the key is not"],
	['http://10.0.0.1', "'Base URL' must start with https://, so that the key is not"],
	['https://api.cloud.wherobots.com@host', "'Base URL' must not contain a user name or password"],
	['https://user@example.com', "'Base URL' must not contain a user name or password"],
	['https://:secret@example.com', "'Base URL' must not contain a user name or password"],
	['https://example.com/?a', "'Base URL' must not contain '?' or '#'"],
	['https://example.com/#a', "'Base URL' must not contain '?' or '#'"],
	['http://example.com', "'Base URL' must start with https://, so that the key is not sent unenc"],
	['https://cloud.wherobots.com/job-runs', "'Base URL' must be the address of the API, not of the"],
	[
		'https://cloud.wherobots.com./',
		"'Base URL' must be the address of the API, not of the web con",
	],
	['https://cloud.wherobots.com', "'Base URL' must be the address of the API, not of the web con"],
])('the base URL %j is refused: %s', (input, problem) => {
	const read = parseBaseUrl(input) as { ok: boolean; problem: string };
	expect(read.ok).toBe(false);
	expect(read.problem.slice(0, problem.length)).toBe(problem);
});

it.each([
	['tiny', 'Tiny'],
	['2x-large-himem', '2X-Large-HiMem'],
	['x-large-hicpu', 'X-Large-HiCPU'],
	['micro-a10-gpu', 'Micro-A10-GPU'],
	['x-large-matcher', 'X-Large-Matcher'],
	['XXLARGE', 'XXLARGE'],
	['new-4x', 'New-4X'],
])('the runtime %s is called %s', (id, name) => {
	expect(formatRuntimeName(id)).toBe(name);
});

it('every runtime is listed once, with its name and family', () => {
	expect(new Set(KNOWN_RUNTIMES.map(({ id }) => id)).size).toBe(KNOWN_RUNTIMES.length);
	expect(KNOWN_RUNTIMES).toContainEqual({ id: 'tiny', name: 'Tiny', family: 'General purpose' });
});
