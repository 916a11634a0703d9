import { acceptBlocks } from './accept-blocks.ts';
import { footerBlock, infoBlocks } from './closing-blocks.ts';
import { composeLock } from './compose-lock.ts';
import { type Block, code, heading, type Inline, paragraph, text } from './document.ts';
import { findingBlocks } from './finding-blocks.ts';
import { firstLook } from './first-look.ts';
import { type Fitted, fitSections } from './fit.ts';
import { headline } from './headline.ts';
import { safeUrl } from './markdown-escape.ts';
import type { Report, ReportFinding, ServerReport } from './model.ts';
import { policyBlocks } from './policy-blocks.ts';
import type { Section } from './section-blocks.ts';
import { sectionHead } from './section-head.ts';
import { serverTable } from './server-table.ts';
import { switchedOffBlocks } from './switched-off-blocks.ts';
import { diffsOf } from './text-diff.ts';
import { togetherWhereEqual } from './together.ts';
import { uncheckedBlocks } from './unchecked-blocks.ts';
import { changesByServer, findingsIndex, type ServerChanges, unitsOf } from './units.ts';

export interface ComposeOptions {
  /** Room for all blocks, in what `size` counts. */
  budget: number;
  size(blocks: Block[]): number;
  /** An address that the caller vouches for; addresses in the report are never linked. */
  reportUrl?: string;
  /** Longest fence, in lines. */
  maxLines: number;
  /** Columns of a text in a fence, its sign not counted; what a comment shows without scrolling when absent. */
  width?: number;
  /** Changes of severity medium that stand open for each server. */
  open: number;
  /** Rows of findings, errors, notes and servers. */
  rows: number;
}

/**
 * A report as blocks, worst first: the verdict, the worst changes with their words, the servers, what was not
 * checked, what is not accepted, what the pull request accepts, findings, how to accept. Fits the budget by showing
 * less of what is less bad: whole changes, then fields, then names, then counts.
 */
export function compose(report: Report, options: ComposeOptions): Block[] {
  // A report with ten thousand servers or names of a kilobyte needs shorter lists.
  for (const [rows, share] of [
    [options.rows, 1],
    [12, 0.8],
    [3, 0.5],
  ] as const) {
    const draw = report.purpose !== undefined ? composeLock : composeWith;
    const blocks = draw(report, { ...options, rows: Math.min(rows, options.rows) }, share);
    if (options.size(blocks) <= options.budget) return blocks;
  }
  return [
    heading(3, ...headline(report)),
    paragraph(text('This report is too large to be shown here; read the full report.')),
    footerBlock(report, options.reportUrl),
  ];
}

function composeWith(report: Report, options: ComposeOptions, share: number): Block[] {
  const byKey = new Map(report.servers.map((server) => [server.key, server]));
  const findings = findingsIndex(report);
  const servers = changesByServer(report, findings);
  const diffs = { diffs: diffsOf(report), width: options.width };
  const look = firstLook(report, servers, findings, diffs);
  const others = findingsIndex(report, look.named);
  const open = servers.filter((server) => !server.accepted);
  const accepted = servers.filter((server) => server.accepted);
  const head: Block[] = [
    heading(3, ...headline(report)),
    ...switchedOffBlocks(report, options.rows),
    ...policyBlocks(report, options.rows),
    ...(report.verdict === 'clean' ? approvalBlocks(accepted) : []),
    ...look.blocks,
    ...serverTable(report, servers, options.rows),
    ...uncheckedBlocks(report, options.rows),
  ];
  const tail = (told: ReadonlySet<ReportFinding>): Block[] => [
    ...findingBlocks(report, options.rows, told),
    ...acceptBlocks(report),
    ...infoBlocks(report, options.rows),
    footerBlock(report, options.reportUrl),
  ];
  const room = share * Math.max(0, options.budget - options.size(head) - options.size(tail(new Set())) - 200);
  const fitting = {
    size: options.size,
    open: options.open,
    elsewhere:
      safeUrl(options.reportUrl) === undefined ? 'in the full report' : 'in the full report linked below',
  };
  const openPart = part(
    [text('Not accepted: running servers against '), code(report.lockfile.path)],
    open.map((server) => section(report, byKey.get(server.server), server, others)),
    {
      ...fitting,
      style: { before: 'reviewed', after: 'now', maxLines: options.maxLines, ...diffs },
      budget: accepted.length > 0 ? room * 0.7 : room,
    },
  );
  const acceptedPart = part(
    [text('Accepted by this pull request: base lock against this lock')],
    accepted.map((server) => section(report, byKey.get(server.server), server, others)),
    {
      ...fitting,
      style: { before: 'before', after: 'after', maxLines: options.maxLines, ...diffs },
      budget: room - options.size(openPart.blocks),
    },
  );
  const told = [...openPart.whole, ...acceptedPart.whole].flatMap((unit) => unit.named);
  return [...head, ...openPart.blocks, ...acceptedPart.blocks, ...tail(new Set([...look.named, ...told]))];
}

/** What approving means: what is new reaches every agent that the lock guards. */
function approvalBlocks(accepted: readonly ServerChanges[]): Block[] {
  if (accepted.length === 0) return [];
  const told = accepted.some((server) => server.flat.some((change) => change.change !== 'removed'));
  return [
    paragraph(
      text(
        told
          ? 'Approving this pull request means that agents may be told what is new below.'
          : 'Approving this pull request takes what is listed below out of the lock.',
      ),
    ),
  ];
}

function part(title: Inline[], sections: Section[], options: Parameters<typeof fitSections>[1]): Fitted {
  if (sections.length === 0) return { blocks: [], whole: [] };
  const head = heading(2, ...title);
  const budget = options.budget - options.size([head]);
  const { blocks, whole } = fitSections(togetherWhereEqual(sections), { ...options, budget });
  return { blocks: [head, ...blocks], whole };
}

function section(
  report: Report,
  server: ServerReport | undefined,
  changes: ServerChanges,
  findings: Map<string, ReportFinding[]>,
): Section {
  // The heading says it already.
  const units = unitsOf(changes, findings).filter(
    ({ about: [first] }) => first?.kind !== 'server' || first.change !== 'removed',
  );
  return { server: changes.server, head: sectionHead(report, changes, server), units };
}
