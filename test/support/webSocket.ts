/**
 * The WebSocket of Node.js 22 and later, which n8n needs: where the tests run on an older one, that of
 * undici, which is the same.
 */
if (typeof WebSocket === 'undefined') {
	Object.defineProperty(globalThis, 'WebSocket', {
		configurable: true,
		// Most test files have no use for it, and loading it takes time.
		get: () => (jest.requireActual('undici') as { WebSocket: unknown }).WebSocket,
	});
}
