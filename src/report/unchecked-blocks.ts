import { placed } from '../util/errors.ts';
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
import type { Report } from './model.ts';

/** Last characters of standard error that are shown. */
const STDERR = 2_000;
/** Lines of it where nothing can be unfolded. */
const SHORT_STDERR = 8;

/** What could not be checked and why: errors of the run, then servers; at most `max` of each. */
export function uncheckedBlocks(report: Report, max: number): Block[] {
  const servers = report.servers.filter((server) => server.status === 'unchecked');
  if (servers.length === 0 && report.errors.length === 0) return [];
  const blocks: Block[] = [heading(2, text('Not checked'))];
  for (const error of report.errors.slice(0, max)) blocks.push(paragraph(...errorInlines(error)));
  more(report.errors.length - max, 'error', blocks);
  for (const server of servers.slice(0, max)) {
    const { error } = server;
    blocks.push(
      paragraph(
        strong(name(server.key)),
        ...entryPlace(server),
        text(': '),
        ...(error === undefined
          ? [text('it could not be checked')]
          : [name(sentence(error.message)), text(' '), code(error.code)]),
      ),
    );
    if (error?.stderr !== undefined && !error.message.includes(error.stderr.trim()))
      blocks.push(
        details(
          [text('The last that it wrote to standard error')],
          [{ kind: 'fence', info: 'text', text: tail(error.stderr) }],
          [
            {
              kind: 'fence',
              info: 'text',
              text: tail(error.stderr).split('\n').slice(-SHORT_STDERR).join('\n'),
            },
          ],
        ),
      );
  }
  more(servers.length - max, 'server', blocks);
  return blocks;
}

/** Where the entry stands, unless the message says so. */
function entryPlace({ config, line, column, error }: Report['servers'][number]): Inline[] {
  if (config === undefined || line === undefined || error?.message.includes(config) === true) return [];
  return [text(' ('), code([config, line, ...(column === undefined ? [] : [column])].join(':')), text(')')];
}

function more(count: number, what: string, blocks: Block[]): void {
  if (count > 0) blocks.push(paragraph(text(`${plural(count, `more ${what}`)} in the full report.`)));
}

function errorInlines(error: Report['errors'][number]): Inline[] {
  const { place, rest } = placed(error.message, error);
  const glue = place === '' ? '' : rest.startsWith(': ') ? ': ' : ' ';
  return [
    ...(place === '' ? [] : [code(place), text(glue)]),
    name(sentence(rest.slice(glue.length))),
    text(' '),
    code(error.code),
  ];
}

/** A message as a sentence of its own. */
function sentence(message: string): string {
  const trimmed = message.trim();
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function tail(words: string): string {
  const end = words.trimEnd();
  if (end.length <= STDERR) return end;
  const last = end.slice(-STDERR);
  const unit = last.charCodeAt(0);
  return `…${unit >= 0xdc00 && unit <= 0xdfff ? last.slice(1) : cut(last, STDERR)}`;
}
