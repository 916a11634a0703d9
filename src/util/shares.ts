/** The level at which costs are cut off so that all together keep to the room; infinite when they fit as they are. */
export function levelFor(costs: readonly number[], room: number): number {
  let left = room;
  for (const [index, cost] of costs.toSorted((a, b) => a - b).entries()) {
    const share = left / (costs.length - index);
    if (cost > share) return share;
    left -= cost;
  }
  return Number.POSITIVE_INFINITY;
}

/**
 * What each of many has of a room that may be too small for all, in the room's unit: small ones all they need, large
 * ones the same. Where that would be less than `least` for some, those at both ends have that much and the middle
 * nothing. The shares are never more than the room together.
 */
export function sharesOf(costs: readonly number[], room: number, least: number): number[] {
  const level = levelFor(costs, room);
  if (level >= least) return costs.map((cost) => Math.min(cost, level));
  const shares = costs.map(() => 0);
  const give = (from: number, step: 1 | -1, most: number): void => {
    let left = most;
    for (let i = from; i >= 0 && i < costs.length && left > 0; i += step) {
      const there = shares[i] ?? 0;
      const took = Math.min((costs[i] ?? 0) - there, least - there, left);
      shares[i] = there + took;
      left -= took;
    }
  };
  const { head, tail } = headAndTail(room);
  give(0, 1, head);
  give(costs.length - 1, -1, tail);
  return shares;
}

/** Two thirds for the beginning of what has to be cut, one for its end: nothing can be pushed out of sight by length. */
export function headAndTail(room: number): { head: number; tail: number } {
  const tail = Math.floor(room / 3);
  return { head: room - tail, tail };
}
