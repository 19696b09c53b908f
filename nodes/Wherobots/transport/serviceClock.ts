import { clock } from './clock';

/** The service's time, as the `Date` headers of its responses tell it. */
export class ServiceClock {
	/** How far it is ahead of n8n's clock, in milliseconds, once a response has shown it. */
	private offsetMs: number | undefined;

	get isKnown(): boolean {
		return this.offsetMs !== undefined;
	}

	now(): number {
		return clock.now() + (this.offsetMs ?? 0);
	}

	note(date: string | undefined): void {
		const time = Date.parse(date ?? '');
		if (Number.isFinite(time)) this.offsetMs = time - clock.now();
	}
}
