import { type Block, code, heading, type Inline, name, paragraph, text } from './document.ts';
import { launchLine } from './launch-words.ts';
import type { Report, ServerReport } from './model.ts';
import { causeSentence, causeTold, idOf, sourceInlines } from './release-words.ts';
import { ROWS } from './server-table.ts';
import type { ServerChanges } from './units.ts';

/** The heading of one server in one part, and what the table above does not say of it: why it drifted, its package. */
export function sectionHead(
  report: Report,
  changes: ServerChanges,
  server: ServerReport | undefined,
): Block[] {
  const { server: key, accepted } = changes;
  const ofServer = changes.changes.find((change) => change.kind === 'server' && change.change !== 'changed');
  const isGone = ofServer?.change === 'removed';
  const suffix =
    ofServer === undefined
      ? ''
      : ofServer.change === 'added'
        ? server?.transport === 'skills'
          ? ' · new'
          : ' · new server'
        : accepted
          ? ' · taken out of the lock'
          : ' · no longer declared';
  const title: Inline[] = [name(key), ...(suffix === '' ? [] : [text(suffix)])];
  // What it is started with follows, and names the package.
  const launch = ofServer?.fields.find((field) => field.pointer === '/launch')?.after;
  if (server === undefined || isGone || server.transport === 'skills' || launchLine(launch) !== undefined)
    return [heading(3, ...title)];
  const { id, line } = sourceWords(report, server, accepted);
  const blocks: Block[] = [heading(3, ...title, ...(id === '' ? [] : [text(' · '), code(id)]))];
  if (line.length > 0) blocks.push(paragraph(...line));
  if (!accepted && report.changes.some((change) => change.accepted && change.server === key))
    blocks.push(
      paragraph(text('This pull request already changes its entry in the lock; this is what still differs.')),
    );
  if (server.hashOnly === true)
    blocks.push(
      paragraph(
        text(
          'The lock holds only hashes of this server, so the reviewed words cannot be shown. The next lock keeps them, and full diffs with it.',
        ),
      ),
    );
  return blocks;
}

/** The package for the heading, and a line of its own for what the table does not say. */
function sourceWords(
  report: Report,
  server: ServerReport,
  accepted: boolean,
): { id: string; line: Inline[] } {
  const cause = accepted || server.status !== 'drift' ? undefined : causeSentence(server);
  const source = server.source ?? server.lockedSource;
  const id = source?.package === undefined ? '' : idOf(source);
  // The table's row has the releases, and that this pull request bumped them.
  const told = accepted ? server.status === 'match' : causeTold(server);
  if (told && report.servers.length <= ROWS) return { id, line: codeLine(server, accepted) };
  if (cause !== undefined && server.causeText !== undefined) return { id: '', line: [name(cause)] };
  return {
    id,
    line: [
      ...sourceInlines(server, accepted ? 'base' : 'locked'),
      ...(cause === undefined ? [] : [text(' · '), name(cause)]),
    ],
  };
}

/** A lock cannot see code: how to see what else a release of an npm package brings. */
function codeLine({ source, lockedSource, baseSource }: ServerReport, accepted: boolean): Inline[] {
  const [before, after] = accepted ? [baseSource, lockedSource ?? source] : [lockedSource, source];
  const { package: known, version: old } = before ?? {};
  if (after?.type !== 'npm' || known === undefined || known !== after.package) return [];
  const plain = (words: string | undefined): words is string =>
    words !== undefined && /^[\w.+-]{1,100}$/.test(words);
  if (!plain(old) || !plain(after.version) || old === after.version) return [];
  if (!/^(?:@[\w.-]{1,100}\/)?[\w.-]{1,100}$/.test(known)) return [];
  return [
    text('What else the release changes: '),
    code(`npm diff --diff=${known}@${old} --diff=${known}@${after.version}`),
  ];
}
