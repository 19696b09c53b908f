import { clock } from './clock';

/** The service's time, from the `Date` headers of its responses. */
export class ServiceClock {
	/** Lead over n8n's clock in milliseconds, once known. */
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
