import { grouped } from '../util/grouped.ts';
import { own } from '../util/json.ts';
import { aboutInlines } from './change-title.ts';
import { type SeverityName, severityRank } from './counts.ts';
import { definitionOf } from './definition-blocks.ts';
import { type Block, cut, type Inline, joined, name, paragraph, plural, strong, text } from './document.ts';
import { isText, textLines } from './field-blocks.ts';
import { findingInlines, namedFindings } from './finding-words.ts';
import { launchLine } from './launch-words.ts';
import type { Report, ReportChange, ReportField, ReportFinding } from './model.ts';
import { outline } from './outline.ts';
import type { DiffStyle } from './text-diff.ts';
import { lineText, signed, wrapLines } from './text-lines.ts';
import { capabilityKey, findingsOf, type ServerChanges } from './units.ts';
import { fieldText, worstFirst, worstPhrase } from './words.ts';

/** What stands at the very top at most: pieces, lines of each, and names of those that it is the same for. */
const PIECES = 3;
const LINES = 6;
const SAME = 5;
/** Changes looked at for the pieces. */
const LOOKED_AT = 40;

/** One piece: whom it is about, what it is, and the very lines. */
interface Look {
  severity: SeverityName;
  accepted: boolean;
  server: string;
  about: Inline[][];
  what: Inline[];
  lines: string[];
  /** Findings that `what` names. */
  named: ReportFinding[];
}

export interface FirstLook {
  blocks: Block[];
  /** Findings that are told here. */
  named: ReadonlySet<ReportFinding>;
}

/**
 * What a reader with forty seconds must see: what is critical or high, with the very lines that changed or that a finding
 * is about. No blocks when nothing is that bad.
 */
export function firstLook(
  report: Report,
  servers: ServerChanges[],
  findings: Map<string, ReportFinding[]>,
  style: DiffStyle,
): FirstLook {
  const bad = (item: { severity: SeverityName }): boolean =>
    severityRank(item.severity) <= severityRank('high');
  const changes = servers
    .flatMap((server) => server.flat)
    .filter((change) => bad(change) && change.change !== 'removed')
    .sort(byWeight);
  const told = new Set(changes.flatMap((change) => findingsOf(change, findings)));
  const others = report.findings.filter(
    (finding) => bad(finding) && finding.suppressed === null && !told.has(finding),
  );
  const looks = [
    ...merged(
      changes.slice(0, LOOKED_AT).map((change) => lookAt(change, findingsOf(change, findings), style)),
    ),
    ...byCapability(others.slice(0, LOOKED_AT)).map((those) => lookAtFindings(those, style)),
  ].sort(byWeight);
  if (looks.length === 0) return { blocks: [], named: new Set() };
  const shown = looks.slice(0, PIECES);
  const blocks = shown.flatMap(lookBlocks);
  const all = changes.length + byCapability(others).length;
  const more = all - shown.reduce((sum, look) => sum + look.about.length, 0);
  if (more > 0) blocks.push(paragraph(text(`${grouped(more)} more of severity high or worse below.`)));
  return {
    blocks: [{ kind: 'alert', level: 'caution', blocks }],
    named: new Set(shown.flatMap((look) => look.named)),
  };
}

type Several = [ReportFinding, ...ReportFinding[]];

/** Findings of one capability together, in the order of the first of each. */
function byCapability(findings: readonly ReportFinding[]): Several[] {
  const found = new Map<string, Several>();
  for (const finding of findings) {
    const key = capabilityKey(finding);
    const there = found.get(key);
    if (there === undefined) found.set(key, [finding]);
    else there.push(finding);
  }
  return [...found.values()];
}

function byWeight(a: { severity: SeverityName; accepted: boolean }, b: typeof a): number {
  return severityRank(a.severity) - severityRank(b.severity) || Number(a.accepted) - Number(b.accepted);
}

/** The same lines for several capabilities of one server are one piece. */
function merged(looks: Look[]): Look[] {
  const found = new Map<string, Look>();
  for (const look of looks) {
    const key = JSON.stringify([look.server, look.accepted, look.severity, look.what, look.lines]);
    const there = found.get(key);
    if (there === undefined) found.set(key, look);
    else {
      there.about.push(...look.about);
      there.named.push(...look.named);
    }
  }
  return [...found.values()];
}

function lookBlocks(look: Look): Block[] {
  const more = look.about.length - SAME;
  const about = look.about.filter((one) => one.length > 0);
  const title: Inline[] = [
    strong(name(look.server)),
    ...(about.length === 0 ? [] : [text(' '), ...joined(about.slice(0, SAME), ', ')]),
    ...(more > 0 ? [text(` and ${more} more`)] : []),
    text(': '),
    ...look.what,
    ...(look.accepted ? [text(' · accepted by this pull request')] : []),
  ];
  if (look.lines.length === 0) return [paragraph(...title)];
  return [paragraph(...title), { kind: 'fence', info: 'diff', text: look.lines.join('\n') }];
}

function lookAt(change: ReportChange, findings: ReportFinding[], style: DiffStyle): Look {
  return {
    severity: change.severity,
    accepted: change.accepted,
    server: change.server,
    about: [change.kind === 'server' ? [] : aboutInlines(change)],
    what: findings.length > 0 ? findingInlines(findings) : [text(worstPhrase(change))],
    lines: window(linesOf(change, style), findings),
    named: namedFindings(findings),
  };
}

/** Findings on something that did not change: their evidence stands for the lines. */
function lookAtFindings(findings: Several, { width }: DiffStyle): Look {
  const [{ kind, name: about, server, severity }] = findings;
  const evidence = [...new Set(findings.map((finding) => finding.evidence))];
  return {
    severity,
    accepted: false,
    server,
    about: [kind === 'server' || kind === 'config' ? [] : aboutInlines({ kind, name: about })],
    what: findingInlines(findings),
    lines: window(
      evidence.flatMap((one) => signed(' ', wrapLines(one, width))),
      [],
    ),
    named: namedFindings(findings),
  };
}

/** Only what is new or gone: context is below. */
function linesOf(change: ReportChange, style: DiffStyle): string[] {
  if (change.kind === 'server' && change.change === 'added') {
    const line = launchLine(change.fields.find((field) => field.pointer === '/launch')?.after);
    return line === undefined ? [] : signed('+', wrapLines(line, style.width));
  }
  const definition = change.change === 'added' ? definitionOf(change) : undefined;
  if (definition !== undefined) {
    const described = own(definition, 'description') ?? own(definition, 'text');
    const whole = outline(definition);
    return signed(
      '+',
      wrapLines(typeof described === 'string' ? `${described}\n${whole}` : whole, style.width),
    );
  }
  const fields = worstFirst(change.fields);
  const worst = fields.filter((field) => field.severity === fields[0]?.severity);
  const titled = worst.filter(isText).length > 1;
  return worst.flatMap((field) => [
    ...(titled && isText(field) ? [`@@ ${fieldText(field.pointer)} @@`] : []),
    ...fieldLines(field, style),
  ]);
}

function fieldLines(field: ReportField, style: DiffStyle): string[] {
  if (isText(field))
    return textLines(field, style)
      .map(lineText)
      .filter((line) => !line.startsWith(' ') && line !== '+' && line !== '-');
  const label = fieldText(field.pointer);
  const side = (sign: '+' | '-', value: ReportField['before']): string[] =>
    value === undefined
      ? []
      : signed(
          sign,
          wrapLines(`${label}: ${typeof value === 'string' ? value : JSON.stringify(value)}`, style.width),
        );
  return [...side('-', field.before), ...side('+', field.after)];
}

/** At most {@link LINES} lines: those with most of the findings' words, else the first. */
function window(lines: string[], findings: ReportFinding[]): string[] {
  if (lines.length <= LINES) return lines;
  const wordsIn = (line: string): string[] => line.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const words = new Set(findings.flatMap((finding) => wordsIn(finding.evidence)));
  const scores = lines.map((line) =>
    line.startsWith('@@') ? 0 : wordsIn(line).filter((word) => words.has(word)).length,
  );
  const size = LINES - 1;
  let best = 0;
  let bestScore = -1;
  let score = 0;
  for (let index = 0; index < lines.length; index++) {
    score += (scores[index] ?? 0) - (scores[index - size] ?? 0);
    if (score > bestScore) {
      best = Math.max(0, index - size + 1);
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
