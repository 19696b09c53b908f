import { DAY } from '../../../../../nodes/Wherobots/trigger/core/watermark';
import { AskedLog, before, event, NOW, poll } from './askedPoll';

test.each([
	['after a pause longer than the retention', 100, 1, 1],
	['after such a pause, but without any events', 100, 0, 0],
	['after a pause as long as the retention', 90, 1, 0],
])("n8n's log says which events are lost, if any: %s", async (_, days, events, noted) => {
	const watermark = NOW - days * DAY;
	const items = [event('kept', NOW - DAY)].slice(0, events);
	const polled = await poll(before([], { watermark }), new AskedLog(() => ({ items })));
	expect(polled.events).toHaveLength(events);
	const iso = (time: number) => new Date(time / 1000).toISOString().replace('.000', '');
	const range = `from ${iso(watermark)} to ${iso(NOW - 90 * DAY)} that`;
	expect(polled.notes).toEqual(noted === 1 ? [expect.stringContaining(range)] : []);
});
