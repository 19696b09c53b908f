/** How often a process collected the garbage of its whole heap. */
import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks';

export class GarbageWatch {
	private collections = 0;

	private readonly observer = new PerformanceObserver((list) => this.note(list.getEntries()));

	constructor() {
		this.observer.observe({ entryTypes: ['gc'] });
	}

	/** Collections of the whole heap since the last call. */
	take(): number {
		this.note(this.observer.takeRecords());
		const { collections } = this;
		this.collections = 0;
		return collections;
	}

	private note(entries: readonly object[]): void {
		for (const { detail } of entries as Array<{ detail: NodeGCPerformanceDetail }>) {
			if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) this.collections += 1;
		}
	}
}
