import { changeTitle } from './change-title.ts';
import { definitionBlocks, definitionOf } from './definition-blocks.ts';
import { type Block, code, joined, paragraph, text } from './document.ts';
import { type ChangeStyle, diffFence, fieldBlocks } from './field-blocks.ts';
import { launchLine, launchVariables } from './launch-words.ts';
import type { ReportChange, ReportField, ReportFinding } from './model.ts';
import { pinBlocks } from './pin-blocks.ts';
import { signed, wrapLines } from './text-lines.ts';
import { fieldInlines, severityWords, worstFirst } from './words.ts';

/**
 * Everything about a change: its title, a diff of its texts, a table of its other fields. What is gone has its
 * title alone: it tells the model nothing any more.
 */
export function changeBlocks(change: ReportChange, findings: ReportFinding[], style: ChangeStyle): Block[] {
  if (change.change === 'added' && style.pins?.has(change.server) === true)
    return pinBlocks(change, findings, style);
  const title = paragraph(...changeTitle(change, findings));
  if (change.change === 'removed') return [title];
  if (change.kind === 'server' && change.change === 'added') return launchBlocks(change, title, style);
  const definition = change.change === 'added' ? definitionOf(change) : undefined;
  if (definition !== undefined) return [title, ...definitionBlocks(definition, style)];
  return [
    title,
    ...fieldBlocks(
      change.fields.filter((field) => !isOldName(change, field)),
      style,
    ),
  ];
}

/** The title of what was renamed has both names. */
function isOldName({ change, from }: ReportChange, { pointer }: ReportField): boolean {
  return change === 'renamed' && from !== undefined && /^\/(?:name|uri|uriTemplate)$/.test(pointer);
}

/** What will be started, which nobody has reviewed; that the server is new, its heading says. */
function launchBlocks(change: ReportChange, title: Block, style: ChangeStyle): Block[] {
  const launch = change.fields.find((field) => field.pointer === '/launch')?.after;
  const line = launchLine(launch);
  const variables = launchVariables(launch);
  const rest = change.fields.filter(
    (field) => field.pointer !== '/launch' && field.pointer !== '/source' && field.pointer !== '',
  );
  if (line === undefined) return [title, ...fieldBlocks(change.fields, style)];
  return [
    paragraph(text(`${severityWords(change.severity)} · it is started with`)),
    diffFence(signed('+', wrapLines(line, style.width)), style),
    ...(variables.length === 0
      ? []
      : [
          paragraph(
            text('Variables that it is given: '),
            ...joined(
              variables.map((variable) => [code(variable)]),
              ', ',
            ),
          ),
        ]),
    ...(rest.length === 0 ? [] : fieldBlocks(rest, style)),
  ];
}

/** The title and the names of the fields alone. */
export function briefBlocks(change: ReportChange, findings: ReportFinding[]): Block[] {
  const title = changeTitle(change, findings);
  const fields = worstFirst(change.fields);
  if (fields.length === 0 || change.change === 'added' || change.change === 'removed')
    return [paragraph(...title)];
  return [
    paragraph(
      ...title,
      text(' · fields: '),
      ...joined(
        fields.slice(0, 12).map((field) => fieldInlines(field.pointer)),
        ', ',
      ),
      ...(fields.length > 12 ? [text(` and ${fields.length - 12} more`)] : []),
    ),
  ];
}
