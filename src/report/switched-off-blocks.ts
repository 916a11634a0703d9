import { type Block, type Inline, name, paragraph, plural, strong, text } from './document.ts';
import type { Report, ServerReport } from './model.ts';

/** How many reviewed servers the pull request ends the check of. */
export function switchedOff(report: Report): number {
  return report.servers.filter((server) => server.switchedOff?.byPullRequest === true).length;
}

/** Reviewed servers that nobody looks at any more though agents may still use them, at most `max`. */
export function switchedOffBlocks(report: Report, max: number): Block[] {
  const servers = report.servers.filter(({ switchedOff }) => switchedOff !== undefined);
  if (servers.length === 0) return [];
  const blocks = servers.slice(0, max).map((server) => paragraph(...wordsOf(server)));
  const more = servers.length - max;
  if (more > 0)
    blocks.push(
      paragraph(text(`${plural(more, 'more reviewed server is', 'more reviewed servers are')} skipped.`)),
    );
  return [{ kind: 'alert', level: 'warning', blocks }];
}

function wordsOf({ key, reason, switchedOff }: ServerReport): Inline[] {
  const why: Inline[] = reason === undefined ? [] : [text(' ('), name(reason), text(')')];
  const start =
    switchedOff?.byPullRequest === true
      ? [
          text(': this pull request switches its check off'),
          ...why,
          text('. It was reviewed and checked until now.'),
        ]
      : [text(': it is pinned and not checked'), ...why, text('.')];
  const client: Inline[] =
    switchedOff?.ignoredBy === undefined
      ? []
      : [
          text(' '),
          name(switchedOff.ignoredBy),
          text(' does not know that switch and may start it all the same: take the entry out instead.'),
        ];
  return [strong(name(key)), ...start, ...client];
}
