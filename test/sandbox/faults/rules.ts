/** Rules that apply to some of what they match, and count it. */

export interface Rule {
	/** How many to let through first. */
	skip?: number;
	/** How many are hit (default: all). */
	times?: number;
}

export interface RuleHandle {
	/** How many the rule has hit. */
	readonly hits: number;
	remove(): void;
}

type Active<Kind> = Kind & { seen: number; hits: number };

export class Rules<Kind extends Rule> {
	private active: Array<Active<Kind>> = [];

	add(rule: Kind): RuleHandle {
		const active = { ...rule, seen: 0, hits: 0 };
		this.active.push(active);
		return {
			get hits() {
				return active.hits;
			},
			remove: () => {
				this.active = this.active.filter((other) => other !== active);
			},
		};
	}

	clear(): void {
		this.active = [];
	}

	/** The first rule that matches and applies now. */
	first(matches: (rule: Kind) => boolean): Kind | undefined {
		return this.active.find((rule) => matches(rule) && applies(rule));
	}

	/** All of these. */
	every(matches: (rule: Kind) => boolean): Kind[] {
		return this.active.filter((rule) => matches(rule) && applies(rule));
	}
}

function applies(rule: Active<Rule>): boolean {
	rule.seen += 1;
	if (rule.seen <= (rule.skip ?? 0) || rule.hits >= (rule.times ?? Infinity)) return false;
	rule.hits += 1;
	return true;
}
