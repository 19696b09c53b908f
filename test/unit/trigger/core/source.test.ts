import { presentTime, type Source } from '../../../../nodes/Wherobots/trigger/core/source';
import { DAY } from '../../../../nodes/Wherobots/trigger/core/watermark';

test.each([
	["the service's", 'a day ahead', true, DAY, 0],
	["n8n's", 'further ahead', true, DAY + 1, DAY + 1],
	["n8n's", 'ahead, but no response tells the time', false, DAY, DAY],
])("the present time is %s when n8n's clock is %s", (_, __, isTold, localNow, expected) => {
	const source = { now: () => 0, localNow: () => localNow, knowsTime: () => isTold };
	expect(presentTime(source as Source)).toBe(expected);
});
