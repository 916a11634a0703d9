import { headAndTail, sharesOf } from '../util/shares.ts';

/** What is kept of a text: all before `head` and all from `tail`. */
export interface Ends {
  head: number;
  tail: number;
  /** Lines between them. */
  left: number;
}

export interface EndLimits {
  width: number;
  /** Lines and characters of all texts together; no limit when the lines are infinite. */
  lines: number;
  characters: number;
}

interface LineCosts {
  /** What a line of a length costs. */
  whole(length: number): number;
  /** Characters of a line that costs more than the room. */
  part(room: number): number;
}

/** Lines of a text that are worth showing; where there is no room for as many of each, the middle ones are left out. */
const LEAST = 12;

/**
 * The beginnings and ends of texts that together keep to the limits, short texts whole. Costs are counted in
 * characters, a line as no less than its part of the limits.
 */
export function endsOf(texts: readonly string[], limits: EndLimits): Ends[] {
  const { width, lines, characters } = limits;
  const whole = ({ length }: string): Ends => ({ head: length, tail: length, left: 0 });
  if (lines === Number.POSITIVE_INFINITY) return texts.map(whole);
  const unit = characters / Math.max(1, lines);
  const costs: LineCosts = {
    whole: (length) => Math.max(length, unit * Math.max(1, Math.ceil((length - 1) / width))),
    part: (room) => Math.floor(Math.min(room, Math.floor(room / unit) * width)),
  };
  const wholes = texts.map((text) => {
    let cost = 0;
    for (let at = 0; at < text.length; ) {
      const end = lineEnd(text, at);
      cost += costs.whole(end - at);
      at = end;
    }
    return cost;
  });
  const shares = sharesOf(wholes, characters, LEAST * unit);
  return texts.map((text, i) => {
    const share = shares[i] ?? 0;
    if (share >= (wholes[i] ?? 0)) return whole(text);
    const room = headAndTail(share);
    const head = headOf(text, room.head, costs);
    const tail = tailOf(text, head, room.tail, costs);
    return { head, tail, left: linesIn(text, head, tail, width) };
  });
}

function headOf(text: string, room: number, costs: LineCosts): number {
  let left = room;
  for (let at = 0; ; ) {
    const end = lineEnd(text, at);
    const cost = costs.whole(end - at);
    if (at < end && cost <= left) {
      left -= cost;
      at = end;
      continue;
    }
    if (at === end) return at;
    const most = costs.part(left);
    return most > 0 && isHigh(text, at + most - 1) ? at + most - 1 : at + most;
  }
}

function tailOf(text: string, from: number, room: number, costs: LineCosts): number {
  let left = room;
  for (let at = text.length; ; ) {
    const start = at < 2 ? from : Math.max(from, text.lastIndexOf('\n', at - 2) + 1);
    const cost = costs.whole(at - start);
    if (start < at && cost <= left) {
      left -= cost;
      at = start;
      continue;
    }
    if (at === start) return at;
    const most = costs.part(left);
    return most > 0 && isHigh(text, at - most - 1) ? at - most + 1 : at - most;
  }
}

function isHigh(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** After the line end of the line at a place. */
function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  return found < 0 ? text.length : found + 1;
}

function linesIn(text: string, from: number, to: number, width: number): number {
  let count = 0;
  for (let at = from; at < to; ) {
    const end = Math.min(to, lineEnd(text, at));
    count += Math.max(1, Math.ceil((end - at - 1) / width));
    at = end;
  }
  return count;
}
