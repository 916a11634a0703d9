import { countsOf } from './counts.ts';
import { type Block, code, details, type Inline, name, plural, strong, text } from './document.ts';
import { safeUrl } from './markdown-escape.ts';
import type { Report } from './model.ts';
import { POLICY_CHANGED } from './policy-blocks.ts';

/** What is worth knowing and gates nothing, folded. */
export function infoBlocks(report: Report, max: number): Block[] {
  const notes = report.info.filter(({ code }) => code !== POLICY_CHANGED);
  if (notes.length === 0) return [];
  const items = notes
    .slice(0, max)
    .map((info): Inline[] => [
      ...(info.server === undefined ? [] : [strong(name(info.server)), text(': ')]),
      name(info.message),
      text(' '),
      code(info.code),
    ]);
  const rest = notes.length - items.length;
  const list: Block[] = [
    { kind: 'list', items: rest > 0 ? [...items, [text(`${rest} more in the full report`)]] : items },
  ];
  return [details([text(plural(notes.length, 'note'))], list, list)];
}

/** One small line: how much was checked, how, against which lock. */
export function footerBlock(report: Report, reportUrl: string | undefined): Block {
  const counts = countsOf(report);
  const folders = report.servers.filter(({ transport }) => transport === 'skills').length;
  const isolations = [...new Set(report.servers.flatMap((server) => server.isolation ?? []))];
  const lock = (sha256: string | null): Inline[] =>
    sha256 === null ? [text('none')] : [code(`sha256:${sha256.replace(/^sha256:/, '').slice(0, 8)}`)];
  return {
    kind: 'small',
    inlines: [
      text(
        [
          ...(folders > 0 && folders === counts.servers
            ? []
            : [plural(counts.servers - folders, 'server'), plural(counts.tools, 'tool')]),
          ...(folders === 0 ? [] : [plural(counts.skills, 'skill')]),
        ].join(', '),
      ),
      text(` in ${(report.durationMs / 1000).toFixed(1)} s`),
      ...(isolations.length === 0 ? [] : [text(' · isolation: '), name(isolations.slice(0, 3).join('; '))]),
      ...(report.lockfile.sha256 === null
        ? [text(report.purpose === 'lock' ? ' · no lock before' : ' · no lock')]
        : [text(' · lock '), ...lock(report.lockfile.sha256)]),
      ...(report.baseLockfile === undefined || report.baseLockfile.sha256 === report.lockfile.sha256
        ? []
        : [text(' (base '), ...lock(report.baseLockfile.sha256), text(')')]),
      ...(safeUrl(reportUrl) === undefined
        ? []
        : [text(' · '), { kind: 'link' as const, text: 'full report', url: reportUrl ?? '' }]),
    ],
  };
}
