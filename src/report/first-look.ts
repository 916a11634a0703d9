import { own } from '../util/json.ts';
import { aboutInlines, findingInlines } from './change-title.ts';
import { severityRank } from './counts.ts';
import { definitionOf } from './definition-blocks.ts';
import { type Block, cut, type Inline, name, paragraph, plural, strong, text } from './document.ts';
import { isText, textLines } from './field-blocks.ts';
import { launchLine } from './launch-words.ts';
import type { ReportChange, ReportField, ReportFinding } from './model.ts';
import { outline } from './outline.ts';
import type { DiffBudget } from './text-diff.ts';
import { signed, wrapLines } from './text-lines.ts';
import { findingsOf, type ServerChanges } from './units.ts';
import { fieldText, worstFirst, worstPhrase } from './words.ts';

/** Changes that stand at the very top, and lines of each. */
const CHANGES = 3;
const LINES = 6;

/**
 * What a reader with forty seconds must see: the worst changes (critical and high) with the very lines that changed.
 * Undefined when nothing is that bad.
 */
export function firstLook(
  servers: ServerChanges[],
  findings: Map<string, ReportFinding[]>,
  diffs: DiffBudget,
): Block | undefined {
  const worst = servers
    .flatMap((server) => server.flat)
    .filter((change) => severityRank(change.severity) <= severityRank('high') && change.change !== 'removed')
    .sort(
      (a, b) =>
        severityRank(a.severity) - severityRank(b.severity) || Number(a.accepted) - Number(b.accepted),
    );
  if (worst.length === 0) return undefined;
  const blocks = worst
    .slice(0, CHANGES)
    .flatMap((change) => lookAt(change, findingsOf(change, findings), diffs));
  const more = worst.length - CHANGES;
  if (more > 0)
    blocks.push(paragraph(text(`${plural(more, 'more change')} of severity high or worse below.`)));
  return { kind: 'alert', level: 'caution', blocks };
}

function lookAt(change: ReportChange, findings: ReportFinding[], diffs: DiffBudget): Block[] {
  const what = findings.length > 0 ? findingInlines(findings) : [text(worstPhrase(change))];
  const subject: Inline[] =
    change.kind !== 'server'
      ? [text(' '), ...aboutInlines(change), text(': '), ...what]
      : [text(change.change === 'added' && findings.length === 0 ? ' is a ' : ': '), ...what];
  const title = [
    strong(name(change.server)),
    ...subject,
    ...(change.accepted ? [text(' · accepted by this pull request')] : []),
  ];
  const lines = window(linesOf(change, diffs), findings);
  if (lines.length === 0) return [paragraph(...title)];
  return [paragraph(...title), { kind: 'fence', info: 'diff', text: lines.join('\n') }];
}

/** Only what is new or gone: context is below. */
function linesOf(change: ReportChange, diffs: DiffBudget): string[] {
  if (change.kind === 'server' && change.change === 'added') {
    const line = launchLine(change.fields.find((field) => field.pointer === '/launch')?.after);
    return line === undefined ? [] : signed('+', wrapLines(line));
  }
  if (change.change === 'added') {
    const definition = definitionOf(change);
    const described =
      definition === undefined ? undefined : (own(definition, 'description') ?? own(definition, 'text'));
    if (definition !== undefined)
      return signed(
        '+',
        wrapLines(
          typeof described === 'string' ? `${described}\n${outline(definition)}` : outline(definition),
        ),
      );
  }
  const fields = worstFirst(change.fields);
  const severity = fields[0]?.severity;
  return fields.filter((field) => field.severity === severity).flatMap((field) => fieldLines(field, diffs));
}

function fieldLines(field: ReportField, diffs: DiffBudget): string[] {
  if (isText(field))
    return textLines(field, diffs).filter((line) => !line.startsWith(' ') && line !== '+' && line !== '-');
  const label = fieldText(field.pointer);
  const side = (sign: '+' | '-', value: ReportField['before']): string[] =>
    value === undefined
      ? []
      : signed(sign, wrapLines(`${label}: ${typeof value === 'string' ? value : JSON.stringify(value)}`));
  return [...side('-', field.before), ...side('+', field.after)];
}

/** At most {@link LINES} lines: those with most of the findings' words, else the first. */
function window(lines: string[], findings: ReportFinding[]): string[] {
  if (lines.length <= LINES) return lines;
  const words = new Set(
    findings.flatMap((finding) => finding.evidence.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []),
  );
  const scores = lines.map((line) =>
    line.startsWith('@@')
      ? 0
      : (line.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).filter((word) => words.has(word)).length,
  );
  let best = 0;
  let bestScore = -1;
  let score = 0;
  const size = LINES - 1;
  for (let index = 0; index < lines.length; index++) {
    score += (scores[index] ?? 0) - (scores[index - size] ?? 0);
    const start = Math.max(0, index - size + 1);
    if (score > bestScore) {
      best = start;
      bestScore = score;
    }
  }
  const shown = lines.slice(best, best + size);
  const after = lines.length - best - shown.length;
  return [
    ...(best > 0 ? [`@@ ${plural(best, 'line')} before @@`] : []),
    ...shown,
    ...(after > 0 ? [`@@ ${plural(after, 'more line')} @@`] : []),
  ].map((line) => cut(line, 200));
}
