/**
 * Where tests run: in the very process of jest and not, as jest has it, in a context of their own for
 * each file. Packages can then be loaded once for all files of a worker (see runtime.cjs).
 */
const vm = require('node:vm');

const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Stands for the context of the process, which has no object of its own. */
const THIS_CONTEXT = vm.createContext({});

/** What was compiled last of each file: its code, and the function that runs it. */
const compiled = new Map();

const { compileFunction } = vm;
vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) => {
	if (parsingContext !== THIS_CONTEXT) {
		return compileFunction(code, parameters, { ...options, parsingContext });
	}
	// A file that many test files load is compiled once: each call of the function is a new module.
	const known = compiled.get(options.filename);
	if (known?.code === code) return known.run;
	const run = compileFunction(code, parameters, options);
	compiled.set(options.filename, { code, run });
	return run;
};

const { exit } = process;

/** Its own limits hold only for connections of its own: those of the process belong to an older undici. */
function loadWebSocket() {
	const { Agent, WebSocket } = require('undici');
	const dispatcher = new Agent();
	return class extends WebSocket {
		constructor(url, options) {
			super(url, { dispatcher, ...options });
		}
	};
}

// The WebSocket of Node.js 22 and later, which n8n needs: on an older one that of undici, which is the same.
if (typeof WebSocket === 'undefined') {
	let implementation;
	Object.defineProperty(globalThis, 'WebSocket', {
		configurable: true,
		// Most test files have no use for it, and loading it takes time.
		get: () => (implementation ??= loadWebSocket()),
	});
}

module.exports = class {
	constructor({ projectConfig }) {
		const global = globalThis;
		const timerConfig = { idToRef: (id) => id, refToId: (ref) => ref };
		this.global = global;
		this.moduleMocker = new ModuleMocker(global);
		this.fakeTimers = new LegacyFakeTimers({
			config: projectConfig,
			global,
			moduleMocker: this.moduleMocker,
			timerConfig,
		});
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global });
		this.before = new Set(Object.getOwnPropertySymbols(global));
	}

	async setup() {}

	async teardown() {
		this.fakeTimers.dispose();
		this.fakeTimersModern.dispose();
		// Jest puts its own way out in place of it for each file.
		process.exit = exit;
		// What a file tells jest of its tests; the next one would be told it, too.
		delete this.global[Symbol.for('EVENT_HANDLERS')];
		delete this.global[Symbol.for('TEST_TIMEOUT_SYMBOL')];
		// Each file leaves its tests behind, below a symbol of its own.
		for (const symbol of Object.getOwnPropertySymbols(this.global)) {
			const isOwn = Symbol.keyFor(symbol) === undefined && !this.before.has(symbol);
			if (isOwn && /jest/i.test(String(symbol))) delete this.global[symbol];
		}
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return THIS_CONTEXT;
	}
};
