import type { Micros } from '../../service/time/time';
import type { Source } from './source';
import { DAY } from './watermark';

/** Whether a response has told the service's time, and n8n's clock is less than a day off. */
export function isClockSure(source: Source): boolean {
	return source.knowsTime() && Math.abs(source.now() - source.localNow()) <= DAY;
}

/** The service's time where that is sure, else that of n8n's clock. */
export function presentTime(source: Source): Micros {
	return isClockSure(source) ? source.now() : source.localNow();
}
