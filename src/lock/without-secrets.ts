import type { Surface } from '../capture/types.ts';
import type { Json } from '../util/json.ts';
import { mapStrings } from './canonical.ts';

/**
 * The surface with every text, name and URI through `mask` (of `createTokenMask`): a server may echo the token that it
 * was given, and that never enters a lock, a report or a comment. What compares a live surface with a lock does the
 * same first.
 */
export function withoutSecrets(surface: Surface, mask: ((text: string) => string) | undefined): Surface {
  if (!mask) return surface;
  const maskItem = (item: Json): Json => {
    try {
      return mapStrings(item, mask);
    } catch {
      // Too deep or with keys that become equal: pinning refuses it and says so.
      return item;
    }
  };
  const masked = (list: Json[]): Json[] => list.map(maskItem);
  return {
    ...surface,
    ...(surface.instructions === undefined ? {} : { instructions: maskItem(surface.instructions) }),
    tools: masked(surface.tools),
    prompts: masked(surface.prompts),
    resources: masked(surface.resources),
    resourceTemplates: masked(surface.resourceTemplates),
  };
}
