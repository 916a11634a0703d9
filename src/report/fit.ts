import { visibleLine } from '../util/hidden.ts';
import { type Block, shortCode } from './document.ts';
import type { ChangeStyle } from './field-blocks.ts';
import { otherSections, type Section, sectionBlocks } from './section-blocks.ts';
import { SEVERITIES } from './severities.ts';
import type { Unit } from './units.ts';

export interface FitOptions {
  /** Room for everything here, in whatever `size` counts. */
  budget: number;
  size(blocks: Block[]): number;
  style: ChangeStyle;
  /** Units of severity medium that are open in a section; further ones are folded. */
  open: number;
  /** Where the rest is: `in the full report`. */
  elsewhere: string;
}

/** Failures in a row after which a pass gives up: 50,000 changes must not cost 50,000 diffs. */
const TRIES = 16;
/** Lines of a fence in a change that does not fit whole. */
const PART = 24;
/** Room for a section's folds and its list of names. */
const SECTION = 500;
/** Room that a section is worth; more sections than fit so are named together. */
const WORTH = 1_200;
/** The names take no more than this share when they are too many. */
const NAMES = 0.4;

type Drawn = { blocks: Block[]; cost: number; whole: boolean };
type Draw = (unit: Unit, style: ChangeStyle) => Block[];

/** Sections as blocks. */
export interface Fitted {
  blocks: Block[];
  /** Units that are shown with all of their texts. */
  whole: Unit[];
}

const whole: Draw = (unit, style) => unit.full(style);
const LEVELS: Draw[] = [
  (unit) => unit.brief(),
  (unit, style) => unit.full({ ...style, maxLines: Math.min(PART, style.maxLines) }),
  whole,
];

/**
 * Draws the sections so that they fit. The names have their room first. Then, one severity after the other, worst first
 * over all sections: each change with the names of its fields, then each with the ends of its texts, then whole.
 * What does not even fit in brief stays a name; where the names do not fit, as many as do are listed, the rest counted.
 */
export function fitSections(all: Section[], options: FitOptions): Fitted {
  const most = Math.max(1, Math.floor(options.budget / WORTH));
  const sections = all.slice(0, most);
  const others = all.slice(most);
  const fixed = sections.reduce(
    (sum, section) => sum + options.size(section.head) + SECTION,
    others.length > 0 ? SECTION : 0,
  );
  const room = Math.max(0, options.budget - fixed);
  const names = all.flatMap((section) => section.units).reduce((sum, unit) => sum + namesCost(unit), 0);
  const namesFit = names <= room * NAMES || names <= room - 4_000;
  const namesRoom = namesFit ? names : room * NAMES;
  const drawn = drawUnits(
    sections.flatMap((section) => section.units),
    { ...options, budget: room - namesRoom },
    namesFit ? namesCost : () => 0,
  );
  const lists =
    sections.filter((section) => section.units.some((unit) => !drawn.has(unit))).length +
    (others.length > 0 ? 1 : 0);
  const each = namesFit ? Number.POSITIVE_INFINITY : namesRoom / Math.max(1, lists);
  const draw = { ...options, namesRoom: each, nameCost };
  return {
    blocks: [
      ...sections.flatMap((section) => sectionBlocks(section, (unit) => drawn.get(unit), draw)),
      ...otherSections(others, draw),
    ],
    whole: [...drawn].flatMap(([unit, one]) => (one.whole ? [unit] : [])),
  };
}

/** `refund` is what a unit that is drawn gives back, as its name needs no list. */
function drawUnits(units: Unit[], options: FitOptions, refund: (unit: Unit) => number): Map<Unit, Drawn> {
  const drawn = new Map<Unit, Drawn>();
  let left = options.budget;
  for (const severity of SEVERITIES) {
    const those = units.filter((unit) => unit.severity === severity);
    if (left <= 0) break;
    const every = drawAll(those, left, options, refund);
    if (every !== undefined) {
      for (const [unit, one] of every.drawn) drawn.set(unit, one);
      left -= every.cost;
      continue;
    }
    for (const draw of LEVELS) {
      let failures = 0;
      for (const unit of those) {
        if (failures >= TRIES) break;
        const there = drawn.get(unit)?.cost ?? refund(unit);
        const one = drawUnit(unit, draw, options);
        if (one.cost - there > left) {
          failures++;
          continue;
        }
        failures = 0;
        left -= one.cost - there;
        drawn.set(unit, one);
      }
    }
  }
  return drawn;
}

/** All of them whole; undefined as soon as it is too much. */
function drawAll(
  units: Unit[],
  left: number,
  options: FitOptions,
  refund: (unit: Unit) => number,
): { drawn: Map<Unit, Drawn>; cost: number } | undefined {
  const drawn = new Map<Unit, Drawn>();
  let cost = 0;
  for (const unit of units) {
    const one = drawUnit(unit, whole, options);
    cost += one.cost - refund(unit);
    if (cost > left) return undefined;
    drawn.set(unit, one);
  }
  return { drawn, cost };
}

function drawUnit(unit: Unit, draw: Draw, options: FitOptions): Drawn {
  const blocks = draw(unit, options.style);
  return { blocks, cost: options.size(blocks) + 8, whole: draw === whole };
}

function namesCost(unit: Unit): number {
  return unit.about.reduce((sum, { name }) => sum + nameCost(name), 4);
}

/** A name as a code span with its separator, in bytes at worst; hidden characters grow when they are shown. */
function nameCost(name: string): number {
  return Buffer.byteLength(visibleLine(shortCode(name))) + 24;
}
