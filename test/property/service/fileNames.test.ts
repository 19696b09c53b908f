import fc from 'fast-check';

import { dispositionFileName, safeFileName } from '../../../nodes/Wherobots/service/fileNames';
import { templateKind } from '../../../nodes/Wherobots/service/templates';

const anyText = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.string({ unit: 'grapheme' }),
	// Long, with characters of two units, and with what is cut off at the ends.
	fc.string({ unit: fc.constantFrom('a', ' ', '.', '𠮷', '/'), minLength: 140, maxLength: 320 }),
);

it('makes names that are safe in every file system', () => {
	fc.assert(
		fc.property(anyText, (text) => {
			const name = safeFileName(text);
			expect(name).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cs}]/u);
			expect(name).not.toMatch(/^[. ]|[. ]$/);
			expect([...name].length).toBeLessThanOrEqual(150);
			expect(safeFileName(name)).toBe(name);
		}),
	);
});

it('keeps names that are safe already', () => {
	for (const name of ['acme-storage.yaml', 'Straße 7.json', '日本.yaml', 'a_b.c.d']) {
		expect(safeFileName(name)).toBe(name);
	}
	expect(safeFileName('../../etc/passwd')).toBe('passwd');
	expect(safeFileName('C:\\temp\\x.yaml')).toBe('x.yaml');
	expect(safeFileName('..')).toBe('');
});

it('reads any header without failing, and gives a safe name or none', () => {
	const headers = fc.oneof(
		anyText,
		anyText.map((text) => `attachment; filename="${text}"`),
		anyText.map((text) => `attachment; filename*=UTF-8''${text}`),
	);
	fc.assert(
		fc.property(headers, (header) => {
			const name = dispositionFileName(header);
			expect(name === undefined || (name !== '' && safeFileName(name) === name)).toBe(true);
		}),
	);
});

it('prefers the name with an encoding, and falls back on the plain one', () => {
	const plain = 'attachment; filename="a.yaml"';
	expect(dispositionFileName(plain)).toBe('a.yaml');
	expect(dispositionFileName(`${plain}; filename*=utf-8''%C3%BC.yaml`)).toBe('ü.yaml');
	expect(dispositionFileName(`${plain}; filename*=UTF-8''%ZZ.yaml`)).toBe('a.yaml');
	expect(dispositionFileName('attachment; filename="a \\"b\\".yaml"')).toBe('a -b-.yaml');
	expect(dispositionFileName(undefined)).toBeUndefined();
	expect(dispositionFileName('attachment')).toBeUndefined();
});

describe('templates', () => {
	const kind = (text: string) => templateKind(Buffer.from(text))?.extension;

	it('tells JSON objects and lists from everything else', () => {
		fc.assert(
			fc.property(fc.oneof(fc.object(), fc.array(fc.jsonValue())), (value) => {
				expect(kind(JSON.stringify(value))).toBe('.json');
			}),
		);
		expect(kind('Resources:\n  Role: {}\n')).toBe('.yaml');
		expect(kind('{ Resources: yes }')).toBe('.yaml');
		expect(kind('"text"')).toBe('.yaml');
	});

	it('refuses web pages and does not read binary data as text', () => {
		expect(kind('\n <!DOCTYPE html>\n<html>')).toBeUndefined();
		expect(kind('<html lang="en">')).toBeUndefined();
		expect(templateKind(Buffer.from([0xff, 0xfe, 0x00]))?.extension).toBe('.bin');
		expect(kind('a\0b')).toBe('.bin');
	});
});
