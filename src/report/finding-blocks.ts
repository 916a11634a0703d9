import { findingGates } from './counts.ts';
import {
  type Block,
  code,
  cut,
  details,
  heading,
  type Inline,
  joined,
  name,
  paragraph,
  plural,
  strong,
  text,
} from './document.ts';
import { findingClause } from './finding-words.ts';
import type { Report, ReportFinding } from './model.ts';
import { gateWords, suppressBlocks } from './suppress-blocks.ts';
import { fieldInlines, KIND_WORDS, severityWords } from './words.ts';

/** Characters of evidence in a cell. */
const EVIDENCE = 240;

/**
 * The findings as one table, worst first, at most `max` rows. Those that are told further up (`told`) and suppressed ones
 * are folded.
 */
export function findingBlocks(
  report: Report,
  max: number,
  told: ReadonlySet<ReportFinding> = new Set(),
): Block[] {
  const open = report.findings.filter((finding) => finding.suppressed === null);
  const fresh = open.filter((finding) => !told.has(finding));
  const known = open.filter((finding) => told.has(finding));
  const suppressed = report.findings.filter((finding) => finding.suppressed !== null);
  const gating = (findings: ReportFinding[]): ReportFinding[] =>
    report.purpose === undefined ? findings.filter((finding) => findingGates(finding, report.failOn)) : [];
  // A terminal cannot unfold. Where findings alone fail the check, how to suppress them is what is left to say.
  const terminal = (how: Block[]): Block[] => (report.verdict === 'findings' ? how : []);
  const blocks: Block[] = [];
  if (fresh.length > 0) {
    const rows = rowsOf(fresh);
    const more = rows.slice(max).reduce((sum, row) => sum + row.findings.length, 0);
    blocks.push(heading(2, text('Findings')), table(rows.slice(0, max), 'text', textOf));
    if (more > 0) blocks.push(paragraph(text(`${plural(more, 'more finding')} in the full report.`)));
    const fails = gating(fresh);
    if (fails.length > 0) {
      const words = [strong(text(plural(fails.length, 'finding'))), text(` ${gateWords(fails.length)}`)];
      const how = suppressBlocks(fails);
      blocks.push(
        how.length === 0
          ? paragraph(...words)
          : details(words, how, gating(known).length > 0 ? [] : terminal(how)),
      );
    }
  }
  if (known.length > 0) {
    const fails = gating(known);
    const all = fails.length === known.length;
    blocks.push(
      details(
        [
          strong(text(plural(known.length, 'finding'))),
          text(' told above'),
          text(fails.length === 0 ? '' : all ? ' ' : `: ${fails.length} of them `),
          text(fails.length === 0 ? '' : gateWords(fails.length)),
        ],
        [table(rowsOf(known).slice(0, max), 'text', textOf), ...suppressBlocks(fails)],
        terminal(suppressBlocks(gating(open))),
      ),
    );
  }
  if (suppressed.length > 0)
    blocks.push(
      details(
        [strong(text(plural(suppressed.length, 'suppressed finding')))],
        [table(rowsOf(suppressed).slice(0, max), 'reason', reasonOf)],
        [],
      ),
    );
  return blocks;
}

/** Findings of one severity in one text, with the same evidence: one row. */
interface Row {
  first: ReportFinding;
  findings: ReportFinding[];
}

function rowsOf(findings: readonly ReportFinding[]): Row[] {
  const rows = new Map<string, Row>();
  for (const finding of findings) {
    const { severity, server, kind, name: about, pointer, evidence, suppressed } = finding;
    const key = JSON.stringify([severity, server, kind, about, pointer, evidence, suppressed]);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, { first: finding, findings: [finding] });
    else row.findings.push(finding);
  }
  return [...rows.values()];
}

function table(rows: Row[], last: string, cell: (finding: ReportFinding) => Inline[]): Block {
  return {
    kind: 'table',
    columns: [{ title: 'severity' }, { title: 'where' }, { title: 'what' }, { title: last }],
    rows: rows.map(({ first, findings }): Inline[][] => [
      [text(severityWords(first.severity))],
      whereInlines(first),
      joined(
        findings.map((finding) => [name(clauseOf(finding)), text(' '), code(finding.rule)]),
        '; ',
      ),
      cell(first),
    ]),
  };
}

function clauseOf(finding: ReportFinding): string {
  return findingClause(finding) ?? finding.message;
}

function textOf({ evidence }: ReportFinding): Inline[] {
  return [code(evidence.length > EVIDENCE ? `${cut(evidence, EVIDENCE - 1)}…` : evidence)];
}

function reasonOf({ suppressed }: ReportFinding): Inline[] {
  return [name(suppressed ?? '')];
}

function whereInlines(finding: ReportFinding): Inline[] {
  const subject: Inline[] =
    finding.name === '' ? [text(KIND_WORDS[finding.kind]?.one ?? '')] : [code(finding.name)];
  return [
    strong(name(finding.server)),
    text(' '),
    ...subject,
    ...(finding.pointer === '' || finding.pointer === '/text'
      ? []
      : [text(' '), ...fieldInlines(finding.pointer)]),
  ];
}
