import { countsOf, severityRank } from './counts.ts';
import { type Block, code, type Inline, joined, paragraph, strong, text } from './document.ts';
import { lockCommand, SHELL_WORD } from './lock-command.ts';
import type { Report } from './model.ts';

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
  const command = lockCommand(report, named && !gone ? keys : []);
  const folder = report.context?.workingDirectory ?? '.';
  const where: Inline[] = folder === '.' || folder === '' ? [] : [text(' in '), code(folder)];
  const pull = report.context?.pullRequest === undefined ? '' : ' in this pull request';
  return [
    paragraph(
      strong(text('To accept')),
      text(', run this'),
      ...where,
      ...(command.lacksConfigs ? [text(' with the '), code('--config'), text(' of the check')] : []),
      text(`, read what it shows, and commit the lock${pull}:`),
    ),
    { kind: 'fence', info: 'sh', text: command.text },
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
  if (servers.length > 0 && servers.every(({ transport }) => transport === 'skills'))
    return [
      paragraph(strong(text('Not what you want?')), text(' Put the skills back as they were reviewed.')),
    ];
  const bumped = servers.every(({ cause }) => cause === 'release-changed' || cause === 'floating-release');
  const configs = [...new Set(servers.flatMap(({ config }) => config ?? []))];
  const config = configs.length === 1 ? configs[0] : undefined;
  // Beside changes that ask for no such step, say whose these are.
  const others = report.changes.some((change) => !change.accepted && !keys.has(change.server));
  const whose: Inline[] =
    others && servers.length > 0 && servers.length <= NAMED
      ? joined(
          servers.map(({ key }) => [code(key)]),
          ', ',
        )
      : [text(servers.length === 1 ? 'the server' : 'these servers')];
  return [
    paragraph(
      strong(text('Not what you want?')),
      ...(bumped ? [text(' Pin the release that was reviewed')] : [text(' Take '), ...whose, text(' out')]),
      text(bumped && config === undefined ? ' in its config' : ''),
      ...(config === undefined ? [] : [text(bumped ? ' in ' : ' of '), code(config)]),
      text(
        bumped || servers.length === 1
          ? ', and use none of it until it is explained.'
          : ', and use none of them until they are explained.',
      ),
    ),
  ];
}
