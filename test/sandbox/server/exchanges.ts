/** Requests with their real responses, before any fault changes these on their way. */
import type { RequestEntry } from './requestLog';
import type { RouteResponse } from './route';

export interface Exchange {
	request: RequestEntry;
	/** Undefined when a fault kept the request from being handled. */
	response?: RouteResponse;
}

export type ExchangeObserver = (exchange: Exchange) => void;

// For all sandboxes of the process, because the code that checks exchanges is not what starts them.
const observers = new Set<ExchangeObserver>();

/** Calls `observer` with every exchange of every sandbox from now on. Returns the way to stop. */
export function observeExchanges(observer: ExchangeObserver): () => void {
	observers.add(observer);
	return () => observers.delete(observer);
}

export function tellObservers(exchange: Exchange): void {
	for (const observer of observers) observer(exchange);
}
