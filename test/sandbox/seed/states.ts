/** The states of the USA, as Overture has them: their borders from the US Census Bureau (public domain). */
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import atlas from 'us-atlas/states-10m.json';

/** Codes of the post by those of the census. */
const CODES =
	'01AL02AK04AZ05AR06CA08CO09CT10DE11DC12FL13GA15HI16ID17IL18IN19IA20KS21KY22LA23ME24MD25MA26MI27MN28MS29MO30MT31NE32NV33NH34NJ35NM36NY37NC38ND39OH40OK41OR42PA44RI45SC46SD47TN48TX49UT50VT51VA53WA54WV55WI56WY';

const topology = atlas as unknown as Topology<{ states: GeometryCollection }>;

/** Each with its code (`US-CO`) and its area as GeoJSON. */
export function listStates(): Array<{ region: string; geometry: object }> {
	const codes = new Map(
		[...CODES.matchAll(/(\d\d)(\w\w)/g)].map(([, census, code]) => [census, code]),
	);
	return feature(topology, topology.objects.states).features.flatMap(({ id, geometry }) => {
		const code = codes.get(String(id));
		return code ? [{ region: `US-${code}`, geometry }] : [];
	});
}
