import { append } from '../util/append.ts';
import { grouped } from '../util/grouped.ts';
import { type SeverityName, severityRank, worstOf } from './counts.ts';
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
import { SEVERITIES } from './severities.ts';
import { type About, capabilityKey, type Unit } from './units.ts';
import { KIND_WORDS, kindCounts, severityWords } from './words.ts';

/** One server's units under its heading. */
export interface Section {
  server: string;
  head: Block[];
  units: Unit[];
}

export interface SectionStyle {
  /** Units of severity medium that stand open; further ones are folded. */
  open: number;
  /** Where the rest is: `in the full report`. */
  elsewhere: string;
  /** Room for one list of names, in what `nameCost` counts. */
  namesRoom: number;
  nameCost(name: string): number;
}

/** A unit's blocks, and whether they are all of it. */
export interface DrawnUnit {
  blocks: Block[];
  whole: boolean;
}

/** Groups of a section that have a fold of their own. */
const GROUPS = 8;
/** So few changes are not folded when nothing else stands open. */
const FEW = 3;

/**
 * A section: what is bad or first stands open, groups of equal small changes have a fold each, the rest one fold.
 * `drawn` gives a unit's blocks, or undefined when only its name is to be listed.
 */
export function sectionBlocks(
  section: Section,
  drawn: (unit: Unit) => DrawnUnit | undefined,
  style: SectionStyle,
): Block[] {
  const open: Block[] = [];
  const groups: Block[] = [];
  const folded: { unit: Unit; blocks: Block[] }[] = [];
  const named: Unit[] = [];
  const partly: Unit[] = [];
  let mediums = 0;
  let grouped = 0;
  for (const unit of section.units) {
    const one = drawn(unit);
    const rank = severityRank(unit.severity);
    if (one === undefined) {
      named.push(unit);
      continue;
    }
    const { blocks } = one;
    if (!one.whole) partly.push(unit);
    if (unit.folded && grouped < GROUPS) {
      grouped++;
      append(groups, blocks);
    } else if (rank <= severityRank('high') || (rank === severityRank('medium') && mediums < style.open)) {
      if (rank === severityRank('medium')) mediums++;
      append(open, blocks);
    } else folded.push({ unit, blocks });
  }
  // A fold over so little hides more than it tidies.
  const line =
    folded.length === 1 && folded[0]?.blocks.length === 1 && folded[0].blocks[0]?.kind === 'paragraph';
  if (line || (open.length === 0 && folded.length <= FEW))
    open.push(...folded.splice(0).flatMap((one) => one.blocks));
  const blocks = [...section.head, ...open, ...groups];
  if (folded.length > 0) {
    const units = folded.map((one) => one.unit);
    blocks.push(
      details(
        foldWords(units, blocks.length > section.head.length),
        folded.flatMap((one) => one.blocks),
        units.flatMap((unit) => unit.brief()),
      ),
    );
  }
  if (partly.length > 0) {
    const { length } = distinct(partly.flatMap((unit) => unit.about));
    const texts = length === 1 ? 'The text of 1 change is' : `The texts of ${plural(length, 'change')} are`;
    blocks.push(paragraph(text(`${texts} cut for space; all of it is ${style.elsewhere}.`)));
  }
  if (named.length > 0) blocks.push(paragraph(...namesInlines(named, style)));
  return blocks;
}

/** Sections that there is no room for, as one list of names. */
export function otherSections(sections: Section[], style: SectionStyle): Block[] {
  if (sections.length === 0) return [];
  return [
    paragraph(
      strong(text(plural(sections.length, 'more server'))),
      text(': '),
      ...namesInlines(
        sections.flatMap((section) => section.units),
        style,
      ),
    ),
  ];
}

/** `13 more: 12 tools, 1 prompt · 🟠 medium 1, ⚪ low 12`; `13 more tools` when they are of one kind. */
function foldWords(units: Unit[], more: boolean): Inline[] {
  const kinds = distinct(units.flatMap((unit) => unit.about)).map(({ kind }) => kind);
  const counts = kindCounts(kinds);
  const several = counts.includes(',') ? `${grouped(kinds.length)} more: ${counts}` : undefined;
  const words = more ? (several ?? counts.replace(' ', ' more ')) : counts;
  return [strong(text(words)), text(` · ${severityCounts(units)}`)];
}

function severityCounts(units: Unit[]): string {
  // A capability that stands in several units is counted once, by the worst.
  const worst = new Map<string, SeverityName>();
  for (const unit of units)
    for (const one of unit.about) {
      const there = worst.get(capabilityKey(one));
      worst.set(
        capabilityKey(one),
        worstOf(there === undefined ? [unit.severity] : [unit.severity, there]) ?? unit.severity,
      );
    }
  const counts = new Map<SeverityName, number>();
  for (const severity of worst.values()) counts.set(severity, (counts.get(severity) ?? 0) + 1);
  return SEVERITIES.filter((severity) => counts.has(severity))
    .map((severity) => `${severityWords(severity)} ${grouped(counts.get(severity) ?? 0)}`)
    .join(', ');
}

function namesInlines(units: Unit[], style: SectionStyle): Inline[] {
  const about = distinct(units.flatMap((unit) => unit.about));
  const names: Inline[][] = [];
  let used = 0;
  for (const one of about) {
    used += style.nameCost(one.name);
    if (used > style.namesRoom) break;
    names.push(nameInlines(one));
  }
  const more = about.length - names.length;
  return [
    strong(text(`${plural(about.length, 'more change')} not shown for space`)),
    text(` (${severityCounts(units)}), ${style.elsewhere}: `),
    ...joined(names, ', '),
    ...(more > 0 ? [text(`${names.length > 0 ? ' and ' : ''}${grouped(more)} more`)] : []),
  ];
}

function nameInlines({ kind, name, change }: About): Inline[] {
  const sign = change === 'added' ? '+' : change === 'removed' ? '−' : '';
  const words = KIND_WORDS[kind]?.one ?? '';
  if (name === '') return [text(`${sign}${words}`)];
  return [text(kind === 'tool' ? sign : `${sign}${words} `), code(name)];
}

function distinct(about: About[]): About[] {
  return [...new Map(about.map((one) => [capabilityKey(one), one])).values()];
}
