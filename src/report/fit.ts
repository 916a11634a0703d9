import { visibleLine } from '../util/hidden.ts';
import {
  type Block,
  code,
  details,
  type Inline,
  joined,
  paragraph,
  plural,
  shortCode,
  strong,
  text,
} from './document.ts';
import type { ChangeStyle } from './field-blocks.ts';
import { SEVERITIES } from './model.ts';
import type { About, Unit } from './units.ts';
import { KIND_WORDS, kindCount, severityWords } from './words.ts';

/** One server's units under its heading. */
export interface Section {
  head: Block[];
  units: Unit[];
}

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

/** Groups of a section that have a fold of their own. */
const GROUPS = 8;
/** So few changes are not folded when nothing else stands open. */
const FEW = 3;

/** Failures in a row after which a pass gives up: 50,000 changes must not cost 50,000 diffs. */
const TRIES = 16;
/** Lines of a fence in a change that does not fit whole. */
const PART = 24;
/** Room for a section's folds and its list of names. */
const SECTION = 500;

type Drawn = { blocks: Block[]; cost: number };

/**
 * Draws the sections so that they fit. Every name has its room first. Then, one severity after the other, worst first
 * over all sections: each change with the names of its fields, then each with the first lines of its texts, then whole.
 * What does not even fit in brief stays a name; where the names do not fit, as many as do are listed, the rest counted.
 */
export function fitSections(sections: Section[], options: FitOptions): Block[] {
  const costs = new Map<Unit, number>();
  let left = options.budget;
  for (const section of sections) {
    left -= options.size(section.head) + SECTION;
    for (const unit of section.units) {
      const cost = unit.about.reduce((sum, { name }) => sum + nameCost(name), 4);
      costs.set(unit, cost);
      left -= cost;
    }
  }
  const namesFit = left >= 0;
  const drawn = new Map<Unit, Drawn>();
  const units = sections.flatMap((section) => section.units);
  for (const severity of SEVERITIES) {
    if (left <= 0) break;
    const those = units.filter((unit) => unit.severity === severity);
    const whole = allWhole(those, costs, left, options);
    if (whole !== undefined) {
      for (const [unit, one] of whole.drawn) drawn.set(unit, one);
      left -= whole.cost;
      continue;
    }
    for (const draw of LEVELS) {
      let failures = 0;
      for (const unit of those) {
        if (failures >= TRIES) break;
        const there = drawn.get(unit)?.cost ?? costs.get(unit) ?? 0;
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
  const fixed = sections.reduce((sum, section) => sum + options.size(section.head) + SECTION, 0);
  const room = namesFit ? Number.POSITIVE_INFINITY : Math.max(0, options.budget - fixed) / sections.length;
  return sections.flatMap((section) => drawSection(section, drawn, options, room));
}

type Draw = (unit: Unit, style: ChangeStyle) => Block[];

const drawWhole: Draw = (unit, style) => unit.full(style);

const LEVELS: Draw[] = [
  (unit) => unit.brief(),
  (unit, style) => unit.full({ ...style, maxLines: Math.min(PART, style.maxLines) }),
  drawWhole,
];

function drawUnit(unit: Unit, draw: Draw, options: FitOptions): Drawn {
  const blocks = draw(unit, options.style);
  return { blocks, cost: options.size(blocks) + 8 };
}

/** All of them whole, and what that takes beyond their names; undefined as soon as it is too much. */
function allWhole(
  units: Unit[],
  costs: Map<Unit, number>,
  left: number,
  options: FitOptions,
): { drawn: Map<Unit, Drawn>; cost: number } | undefined {
  const drawn = new Map<Unit, Drawn>();
  let cost = 0;
  for (const unit of units) {
    const one = drawUnit(unit, drawWhole, options);
    cost += one.cost - (costs.get(unit) ?? 0);
    if (cost > left) return undefined;
    drawn.set(unit, one);
  }
  return { drawn, cost };
}

/** A name as a code span with its separator; hidden characters grow when they are shown. */
function nameCost(name: string): number {
  return visibleLine(shortCode(name)).length + 24;
}

const RANK = { critical: 0, high: 1, medium: 2, low: 3, info: 4 };

function rank(unit: Unit): number {
  return RANK[unit.severity];
}

function drawSection(
  section: Section,
  levels: Map<Unit, Drawn>,
  options: FitOptions,
  nameRoom: number,
): Block[] {
  const open: Block[] = [];
  const ownFold: Block[] = [];
  const folded: Unit[] = [];
  const named: Unit[] = [];
  let opened = 0;
  let groups = 0;
  for (const unit of section.units) {
    const drawn = levels.get(unit);
    if (drawn === undefined) named.push(unit);
    else if (unit.folded && groups < GROUPS) {
      groups++;
      ownFold.push(...drawn.blocks);
    } else if (rank(unit) <= 1 || (rank(unit) === 2 && opened < options.open)) {
      if (rank(unit) === 2) opened++;
      open.push(...drawn.blocks);
    } else folded.push(unit);
  }
  const drawnOf = (units: Unit[]): Block[] => units.flatMap((unit) => levels.get(unit)?.blocks ?? []);
  // A fold over so little hides more than it tidies.
  if (open.length === 0 && folded.length > 0 && folded.length <= FEW) open.push(...drawnOf(folded.splice(0)));
  const blocks = [...section.head, ...open, ...ownFold];
  if (folded.length > 0)
    blocks.push(
      details(
        foldWords(folded, blocks.length > section.head.length),
        drawnOf(folded),
        folded.flatMap((unit) => unit.brief()),
      ),
    );
  if (named.length > 0) blocks.push(paragraph(...namedWords(named, options, nameRoom)));
  return blocks;
}

/** `13 more tools · medium 1, low 12`. */
function foldWords(units: Unit[], more: boolean): Inline[] {
  const about = distinct(units.flatMap((unit) => unit.about));
  const count = kindCount(about.map(({ kind }) => kind));
  return [strong(text(more ? count.replace(' ', ' more ') : count)), text(` · ${severityCounts(units)}`)];
}

function severityCounts(units: Unit[]): string {
  return (['critical', 'high', 'medium', 'low', 'info'] as const)
    .map((severity) => ({
      severity,
      count: units.filter((unit) => unit.severity === severity).flatMap((unit) => unit.about).length,
    }))
    .filter(({ count }) => count > 0)
    .map(({ severity, count }) => `${severityWords(severity)} ${count}`)
    .join(', ');
}

function namedWords(units: Unit[], options: FitOptions, room: number): Inline[] {
  const names: Inline[][] = [];
  let used = 0;
  let all = 0;
  for (const { kind, name, change } of distinct(units.flatMap((unit) => unit.about))) {
    all++;
    used += nameCost(name);
    if (used > room) continue;
    const kindWord =
      kind === 'tool' || name === ''
        ? name === ''
          ? (KIND_WORDS[kind]?.one ?? '')
          : ''
        : `${KIND_WORDS[kind]?.one ?? ''} `;
    const sign = change === 'added' ? '+' : change === 'removed' ? '−' : '';
    names.push([text(`${sign}${kindWord}`), ...(name === '' ? [] : [code(name)])]);
  }
  const more = all - names.length;
  return [
    strong(text(`${plural(all, 'more change')} not shown for space`)),
    text(` (${severityCounts(units)}), ${options.elsewhere}: `),
    ...joined(names, ', '),
    ...(more > 0 ? [text(`${names.length > 0 ? ' and ' : ''}${more.toLocaleString('en-US')} more`)] : []),
  ];
}

function distinct(about: About[]): About[] {
  return [...new Map(about.map((one) => [JSON.stringify([one.kind, one.name]), one])).values()];
}
