import {
  type Block,
  code,
  cut,
  details,
  heading,
  type Inline,
  name,
  paragraph,
  plural,
  strong,
  text,
} from './document.ts';
import type { Report, ReportFinding } from './model.ts';
import { fieldInlines, KIND_WORDS, severityWords } from './words.ts';

/** Characters of evidence in a cell. */
const EVIDENCE = 160;

/** The findings as one table, worst first, at most `max` rows; suppressed ones folded with their reasons. */
export function findingBlocks(report: Report, max: number): Block[] {
  const shown = report.findings.filter((finding) => finding.suppressed === null);
  const suppressed = report.findings.filter((finding) => finding.suppressed !== null);
  const blocks: Block[] = [];
  if (shown.length > 0) {
    blocks.push(heading(2, text('Findings')), {
      kind: 'table',
      columns: [{ title: 'severity' }, { title: 'where' }, { title: 'what' }, { title: 'text' }],
      rows: shown
        .slice(0, max)
        .map((finding): Inline[][] => [
          [text(severityWords(finding.severity))],
          whereInlines(finding),
          [name(finding.message), text(' '), code(finding.rule)],
          [code(evidenceOf(finding))],
        ]),
    });
    if (shown.length > max)
      blocks.push(paragraph(text(`${plural(shown.length - max, 'more finding')} in the full report.`)));
  }
  if (suppressed.length > 0) {
    blocks.push(
      details(
        [strong(text(plural(suppressed.length, 'suppressed finding')))],
        [
          {
            kind: 'table',
            columns: [{ title: 'severity' }, { title: 'where' }, { title: 'what' }, { title: 'reason' }],
            rows: suppressed
              .slice(0, max)
              .map((finding): Inline[][] => [
                [text(severityWords(finding.severity))],
                whereInlines(finding),
                [name(finding.message), text(' '), code(finding.rule)],
                [name(finding.suppressed ?? '')],
              ]),
          },
        ],
        [],
      ),
    );
  }
  return blocks;
}

function evidenceOf(finding: ReportFinding): string {
  return finding.evidence.length > EVIDENCE ? `${cut(finding.evidence, EVIDENCE - 1)}…` : finding.evidence;
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
