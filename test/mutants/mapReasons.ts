/** The reasons of `reasons.ts` for the sources below map/. */
import { NO_VALUE, NOT_A_NUMBER, type Reason } from './reason';

const NO_PIXELS = 'outside the picture, there are no pixels to paint';
const MORE_PIXELS = 'a shortcut: looks at more pixels, which the shape does not reach';

export const MAP_REASONS: Record<string, Reason[]> = {
	'map/colors.ts': [
		['without values, no feature has a color of either kind', 'values.length > 0 →'],
		[
			'values beyond the colors have none, and are shown as others',
			'groupSort( values, (same) => -same.length,',
		],
	],
	'map/features.ts': [
		['what such a name is cut to names nothing either', '/^Multi(Point|LineString|Polygon)$/ →'],
	],
	'map/mapScene.ts': [
		['without a column there is no legend', '\'\' → "Stryker was here!"'],
		['zero has no letter', 'value > 0 → value >= 0'],
	],
	'map/png.ts': [
		[
			'a shortcut: what is covered shows nothing of what is painted behind it',
			'next[at] !== at → false',
			'gaps[pixel] < 1 / 512 → false',
			'gaps[pixel] <= 1 / 512',
		],
		[
			NO_PIXELS,
			'row < 0 || row >= rows → false',
			'row < 0 && row >= rows',
			'row < 0 → false',
			'row >= rows → false',
			'row >= rows → row > rows',
		],
		[
			MORE_PIXELS,
			'y) ?? 0 → min(segments, ([, y]) => y) && 0',
			'([, y]) => y → () => undefined',
			'row <= bottom',
			'row <= Math.max(y, toY) + reach',
			'dy === 0 → true',
			'Math.min(Math.min(x, toX) - reach, middle - half)',
			'Math.max(Math.max(x, toX) + reach, middle + half)',
		],
		[
			'of a level line, one divided by zero is infinite as well',
			'dy === 0 → false',
			'dy === 0 → dy !== 0',
		],
		[NOT_A_NUMBER, 'index <= crossings.length'],
	],
	'map/projection.ts': [
		['what lies at Greenwich may be at either end', 'longitude < 0 → longitude <= 0'],
	],
	'map/readFeatures.ts': [
		['is replaced when an object begins', '[] → ["Stryker was here"]'],
		['what is kept before an object is dropped when it begins', 'begun !== undefined → true'],
		[NO_VALUE, '{ return undefined; } → {}'],
		['only memory: a whole block is kept for a part of it', 'bytes.slice() → bytes'],
	],
};
