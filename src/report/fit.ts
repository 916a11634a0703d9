import type { ChangeStyle } from './change-blocks.ts';
import {
  type Block,
  code,
  details,
  type Inline,
  joined,
  paragraph,
  plural,
  strong,
  text,
} from './document.ts';
import type { Unit } from './units.ts';
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

type Level = 'full' | 'brief' | 'name';

/** Failures in a row after which no further unit is tried: 50,000 changes must not cost 50,000 diffs. */
const TRIES = 24;

/**
 * Draws the sections so that they fit. Every name has its room first; then, worst first over all sections, each unit
 * is drawn in full where that fits, else in brief, else it stays a name. Where even the names do not fit, as
 * many as do are listed and the rest is counted.
 */
export function fitSections(sections: Section[], options: FitOptions): Block[] {
  const { size } = options;
  const nameSize = new Map<Unit, number>();
  let fixed = 0;
  for (const section of sections) {
    fixed += size(section.head) + 400;
    for (const unit of section.units)
      nameSize.set(
        unit,
        unit.about.reduce((sum, { name }) => sum + name.length + 8, 4),
      );
  }
  let left = options.budget - fixed - [...nameSize.values()].reduce((sum, one) => sum + one, 0);
  const levels = new Map<Unit, { level: Level; blocks: Block[] }>();
  if (left > 0) {
    const order = sections.flatMap((section) => section.units).sort((a, b) => rank(a) - rank(b));
    let failures = 0;
    for (const unit of order) {
      if (failures >= TRIES) break;
      const room = left + (nameSize.get(unit) ?? 0);
      const chosen = (
        [
          ['full', () => unit.full(options.style)],
          ['brief', () => unit.brief()],
        ] as const
      )
        .map(([level, draw]) => ({ level, draw }))
        .find(({ level, draw }) => {
          const blocks = draw();
          const cost = size(blocks) + 8;
          if (cost > room) return false;
          levels.set(unit, { level, blocks });
          left = room - cost;
          return true;
        });
      failures = chosen === undefined ? failures + 1 : 0;
    }
  }
  const nameRoom =
    left >= 0 ? Number.POSITIVE_INFINITY : Math.max(0, options.budget - fixed) / Math.max(1, sections.length);
  return sections.flatMap((section) => drawSection(section, levels, options, nameRoom));
}

const RANK = { critical: 0, high: 1, medium: 2, low: 3, info: 4 };

function rank(unit: Unit): number {
  return RANK[unit.severity];
}

function drawSection(
  section: Section,
  levels: Map<Unit, { level: Level; blocks: Block[] }>,
  options: FitOptions,
  nameRoom: number,
): Block[] {
  const open: Block[] = [];
  const folded: Unit[] = [];
  const named: Unit[] = [];
  let opened = 0;
  for (const unit of section.units) {
    const drawn = levels.get(unit);
    if (drawn === undefined) named.push(unit);
    else if (rank(unit) <= 1 || (rank(unit) === 2 && opened < options.open)) {
      if (rank(unit) === 2) opened++;
      open.push(...drawn.blocks);
    } else folded.push(unit);
  }
  const blocks = [...section.head, ...open];
  if (folded.length > 0)
    blocks.push(
      details(
        foldWords(folded, open.length > 0),
        folded.flatMap((unit) => levels.get(unit)?.blocks ?? []),
      ),
    );
  if (named.length > 0) blocks.push(paragraph(...namedWords(named, options, nameRoom)));
  return blocks;
}

/** `13 more tools · medium 1, low 12`. */
function foldWords(units: Unit[], more: boolean): Inline[] {
  const about = units.flatMap((unit) => unit.about);
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
  for (const { kind, name, change } of units.flatMap((unit) => unit.about)) {
    all++;
    used += name.length + 8;
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
