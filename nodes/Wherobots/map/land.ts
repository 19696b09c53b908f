import file from './land.json';
import { type Axis, cornersOf, type Frame, type Path, type Point } from './shapes';

const SEA = '#e6eef4';
const LAND = '#fbfaf7';
const BORDER = '#cbc6bb';

/** In degrees: on a smaller map, outlines that are rounded by tens of kilometers would mislead. */
const MIN_SPAN = 6;

/**
 * Land and borders behind a map of a country or more: Natural Earth at 1:110m, which scripts/land.ts
 * made smaller. They reach beyond the frame.
 */
export function landIn({ x, y }: { x: Axis; y: Axis }, frame: Frame): Path[] {
	if (Math.max(x.to - x.from, y.to - y.from) < MIN_SPAN) return [];
	const { left, right, top, bottom } = frame;
	const isSeen = (line: Point[]) =>
		line.some(([at]) => at > left) &&
		line.some(([at]) => at < right) &&
		line.some(([, at]) => at > top) &&
		line.some(([, at]) => at < bottom);
	// Maps across the date line begin or end beyond 180 degrees.
	const drawn = (lines: number[][]) =>
		[-360, 0, 360].flatMap((turn) =>
			lines
				.map((line) => pointsOf(line).map(([e, n]): Point => [x.at(e + turn), y.at(n)]))
				.filter(isSeen),
		);
	return [
		{ rings: [cornersOf(frame)], fill: SEA },
		// Without a stroke, which would follow the date line, where land is cut.
		{ rings: drawn(file.land), fill: LAND },
		...drawn(file.borders).map((line): Path => ({ rings: [line], stroke: BORDER })),
	];
}

/** A line of the file, in degrees: it has tenths, the first point and then the steps to the next. */
function pointsOf(line: number[]): Point[] {
	let [east, north] = [0, 0];
	return Array.from({ length: line.length / 2 }, (_, at) => {
		east += line[2 * at];
		north += line[2 * at + 1];
		return [east / 10, north / 10];
	});
}
