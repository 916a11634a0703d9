import { worstOf } from './counts.ts';
import { type Block, details, type Inline, joined, paragraph, strong, text } from './document.ts';
import type { ReportChange } from './model.ts';
import { nameEntries } from './name-lists.ts';
import type { Unit } from './units.ts';
import { KIND_WORDS, kindCount, kindCounts, severityWords } from './words.ts';

/** So many names stand open; more are folded. */
const OPEN = 8;

/** Capabilities that are gone tell the model nothing any more: their names are enough. */
export function isGone(change: ReportChange): boolean {
  return change.change === 'removed' && change.kind !== 'server';
}

/** All that is gone from a server as one unit: how many of each kind, and their names. */
export function goneUnit(gone: ReportChange[]): Unit {
  const severity = worstOf(gone.map((change) => change.severity)) ?? 'low';
  const kinds = gone.map((change) => change.kind);
  const head: Inline[] = [strong(text(`${kindCount(kinds)} gone`)), text(` · ${severityWords(severity)}`)];
  const lists = [...new Set(kinds)].map((kind) => {
    const names = gone.filter((change) => change.kind === kind).map((change) => change.name);
    return { kind, count: names.length, entries: nameEntries(names.filter((one) => one !== '')) };
  });
  const draw = (): Block[] => {
    const entries = lists.reduce((sum, list) => sum + list.entries.length, 0);
    if (entries <= OPEN) {
      const named = lists.map(({ kind, count, entries: names }): Inline[] => {
        if (lists.length === 1) return joined(names, ', ');
        const what = count === 1 ? (KIND_WORDS[kind]?.one ?? '') : countOf(kind, count);
        if (names.length === 0) return [text(what)];
        return [text(what === 'tool' ? '' : `${what} `), ...joined(names, ', ')];
      });
      return [paragraph(...head, text(' · '), ...joined(named, ' · '))];
    }
    const several = lists.length > 1 ? `: ${kindCounts(kinds)}` : '';
    const blocks = lists.map(
      ({ kind, count, entries: names }): Block =>
        paragraph(text(`${countOf(kind, count)}: `), ...joined(names, ', ')),
    );
    return [details([...head, text(several)], blocks, blocks)];
  };
  const brief = (): Block[] => [paragraph(...head, text(`: ${kindCounts(kinds)}`))];
  return { severity, about: gone, folded: true, named: [], full: draw, brief };
}

function countOf(kind: string, count: number): string {
  return kindCount(Array.from({ length: count }, () => kind));
}
