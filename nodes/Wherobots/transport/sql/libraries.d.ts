/** The older module resolution of n8n's build does not find the package's own declarations. */
declare module 'cbor2/decoder' {
	export function decode(bytes: Uint8Array): unknown;
}
