import { countsOf, severityRank } from './counts.ts';
import { type Block, code, details, type Inline, name, paragraph, plural, strong, text } from './document.ts';
import { safeUrl } from './markdown-escape.ts';
import type { Report } from './model.ts';

/** Keys that stand in a command as they are: no shell gives them a meaning. */
const SHELL_WORD = /^[A-Za-z0-9][\w.:/@-]{0,99}$/;
/** Servers that are named in the command; beyond it the command takes all. */
const NAMED = 8;

/** How to accept what is not accepted; empty when there is nothing. */
export function acceptBlocks(report: Report): Block[] {
  if (countsOf(report).changes === 0) return [];
  const keys = [
    ...new Set(report.changes.filter((change) => !change.accepted).map((change) => change.server)),
  ];
  const named = keys.length <= NAMED && keys.every((key) => SHELL_WORD.test(key));
  // `lock` drops what is no longer declared only when it looks at all servers.
  const gone = report.servers.some((server) => server.status === 'gone');
  const path = report.lockfile.path;
  const lockfile = path === 'agentgate.lock' || !SHELL_WORD.test(path) ? '' : ` --lockfile ${path}`;
  const command = `npx @agentgate/agentgate lock${lockfile}${named && !gone ? ` ${keys.join(' ')}` : ''}`;
  const folder = report.context?.workingDirectory ?? '.';
  const where: Inline[] = folder === '.' || folder === '' ? [] : [text(' in '), code(folder)];
  const pull = report.context?.pullRequest === undefined ? '' : ' in this pull request';
  return [
    paragraph(
      strong(text('To accept')),
      text(', run this'),
      ...where,
      text(`, read what it shows, and commit the lock${pull}:`),
    ),
    { kind: 'fence', info: 'sh', text: command },
    ...refuseBlocks(report),
  ];
}

/** What to do instead, where something is bad enough to ask. */
function refuseBlocks(report: Report): Block[] {
  const bad = report.changes.filter(
    (change) => !change.accepted && severityRank(change.severity) <= severityRank('high'),
  );
  if (bad.length === 0) return [];
  const keys = new Set(bad.map((change) => change.server));
  const servers = report.servers.filter(({ key }) => keys.has(key));
  const bumped = servers.every(({ cause }) => cause === 'release-changed' || cause === 'floating-release');
  const configs = [...new Set(servers.flatMap(({ config }) => config ?? []))];
  const config = configs.length === 1 ? configs[0] : undefined;
  return [
    paragraph(
      strong(text('Not what you want?')),
      text(bumped ? ' Pin the release that was reviewed' : ' Take the server out'),
      text(bumped && config === undefined ? ' in its config' : ''),
      ...(config === undefined ? [] : [text(bumped ? ' in ' : ' of '), code(config)]),
      text(', and use none of it until it is explained.'),
    ),
  ];
}

/** What is worth knowing and gates nothing, folded. */
export function infoBlocks(report: Report, max: number): Block[] {
  if (report.info.length === 0) return [];
  const items = report.info
    .slice(0, max)
    .map((info): Inline[] => [
      ...(info.server === undefined ? [] : [strong(name(info.server)), text(': ')]),
      name(info.message),
      text(' '),
      code(info.code),
    ]);
  const rest = report.info.length - items.length;
  const list: Block[] = [
    { kind: 'list', items: rest > 0 ? [...items, [text(`${rest} more in the full report`)]] : items },
  ];
  return [details([text(plural(report.info.length, 'note'))], list, list)];
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
          plural(counts.servers - folders, 'server'),
          plural(counts.tools, 'tool'),
          ...(folders === 0 ? [] : [plural(counts.skills, 'skill')]),
        ].join(', '),
      ),
      text(` in ${(report.durationMs / 1000).toFixed(1)} s`),
      ...(isolations.length === 0 ? [] : [text(' · isolation: '), name(isolations.slice(0, 3).join(', '))]),
      ...(report.lockfile.sha256 === null
        ? [text(' · no lock')]
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
