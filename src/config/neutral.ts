import { type Part, splitReferences } from './references.ts';
import type { ClientId } from './types.ts';

/** A text with its references in one common form, so that two clients' spellings of the same compare equal. */
export function neutralText(text: string, client: ClientId): string {
  return splitReferences(text, client, 'headers').map(neutralPart).join('');
}

function neutralPart(part: Part): string {
  if (part.kind === 'variable') {
    return part.fallback
      ? `\0${part.name}\0-${part.fallback.map(neutralPart).join('')}\0`
      : `\0${part.name}\0`;
  }
  if (part.kind === 'input') return `\0input:${part.id}\0`;
  return part.kind === 'place' ? `\0place:${part.place}\0` : part.text;
}
