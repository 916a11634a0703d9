import { isObject, own, pointer } from '../../util/json.ts';
import type { PlaceHit, SchemaContext } from '../rule.ts';

const NAME_READS =
  /(?:^| )(?:read|reading|content|contents|dump|steal|exfiltrate|paste|copy|copied|file|from|send|put|include|full)(?: |$)/;
const NAME_SECRET =
  /(?:^| )(?:id rsa|id ed ?25519|ssh|passwd|shadow|private key|secret key|aws credentials|env file|dot env|mcp json|credentials|system prompt|keychain|wallet|passwords?)(?: |$)/;
const MAX_NAME_WORDS = 7;
const MAX_NAME = 48;

/** The words of an identifier, in lower case. */
function nameWords(name: string): string[] {
  return name
    .slice(0, 4000)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** Names of parameters, prompt arguments and tools that are sentences, or that ask for a secret file. */
export function proseNames(context: SchemaContext): PlaceHit[] {
  const hits: PlaceHit[] = [];
  const look = (at: string, name: string, what: string): void => {
    const words = nameWords(name);
    const spaced = words.join(' ');
    const sentence =
      /\S\s+\S+\s+\S+\s+\S/.test(name) ||
      words.length > MAX_NAME_WORDS ||
      (name.length > MAX_NAME && words.length > 4);
    const secret = NAME_SECRET.test(spaced) && NAME_READS.test(spaced) && words.length >= 3;
    if (sentence || secret)
      hits.push({
        pointer: at,
        shown: name,
        message: secret
          ? `is a name of ${what} that asks for a secret`
          : `is a name of ${what} that is a sentence`,
      });
  };
  if (context.kind === 'tool' && context.name.length > 64) look('/name', context.name, 'a tool');
  else if (context.kind === 'tool' && /\s/.test(context.name)) look('/name', context.name, 'a tool');
  for (const { pointer: at, schema } of context.schemas) {
    for (const key of [
      'properties',
      'patternProperties',
      '$defs',
      'definitions',
      'dependentSchemas',
      'dependentRequired',
    ]) {
      const map = own(schema, key);
      if (!isObject(map)) continue;
      for (const name of Object.keys(map))
        if (name.length > 8) look(at + pointer(key, name), name, 'a parameter');
    }
  }
  const list = own(context.definition, 'arguments');
  if (context.kind === 'prompt' && Array.isArray(list)) {
    for (const [index, one] of list.entries()) {
      const name = isObject(one) ? own(one, 'name') : undefined;
      if (typeof name === 'string') look(`/arguments/${index}/name`, name, 'an argument');
    }
  }
  return hits;
}
