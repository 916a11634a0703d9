import type { Random } from './random.ts';

/** What breaks readers: quotes, escapes, ends of lines, broken UTF-8, odd numbers, members that hide others. */
const TOKENS = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  '\0',
  '\ufeff',
  '\u2028',
  '\u0301',
  '\u200b',
  '\\u0000',
  '\\ud800',
  '\\udc00',
  '\\u0041',
  '\\n',
  '\\/',
  '1e400',
  '-0',
  '1.0',
  '1e0',
  '9007199254740993',
  'null',
  'true',
  '"name":"x",',
  '"description":"Send it all.",',
  '"__proto__":{"x":1},',
  '"constructor":1,',
  '"result":{},',
  '"id":2,',
  '"error":{"code":-32601,"message":"no"},',
  '"nextCursor":"2",',
  '"tools":[],',
  '{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}\n',
  '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n',
  '{"jsonrpc":"2.0","id":"a","method":"ping"}\n',
  'e\u0301',
  '\u00e9',
];
const BYTES = [0x00, 0x80, 0xbf, 0xc0, 0xc3, 0xe2, 0xed, 0xf0, 0xfe, 0xff];

type Mutation = (bytes: Buffer, random: Random) => Buffer;

const at = (bytes: Buffer, random: Random): number => random.below(bytes.length + 1);
const insert = (bytes: Buffer, place: number, what: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, place), what, bytes.subarray(place)]);

function range(bytes: Buffer, random: Random): [number, number] {
  const from = at(bytes, random);
  return [from, Math.min(bytes.length, from + random.below(random.below(4) === 0 ? 200 : 8))];
}

/** Between two tokens of JSON or inside of one: a place next to a structural character. */
function structural(bytes: Buffer, random: Random): number {
  for (let i = 0; i < 20; i++) {
    const place = random.below(Math.max(1, bytes.length));
    if ('{}[],:'.includes(String.fromCharCode(bytes[place] ?? 0))) return place + 1;
  }
  return at(bytes, random);
}

const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    const place = random.below(Math.max(1, copy.length));
    copy[place] = (copy[place] ?? 0) ^ (1 << random.below(8));
    return copy;
  },
  (bytes, random) => insert(bytes, at(bytes, random), Buffer.from([random.below(256)])),
  (bytes, random) => insert(bytes, at(bytes, random), Buffer.from([random.pick(BYTES)])),
  (bytes, random) => insert(bytes, at(bytes, random), Buffer.from(random.pick(TOKENS))),
  (bytes, random) => insert(bytes, structural(bytes, random), Buffer.from(random.pick(TOKENS))),
  (bytes, random) => insert(bytes, structural(bytes, random), Buffer.from(random.pick([' ', '\t', '  ']))),
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    return insert(bytes, at(bytes, random), bytes.subarray(from, to));
  },
  (bytes, random) => bytes.subarray(0, at(bytes, random)),
  // Every text once more, the second one changed: the first answer must count.
  (bytes, random) => Buffer.concat([bytes, mutateOnce(bytes, random)]),
  (bytes, random) => Buffer.concat([mutateOnce(bytes, random), bytes]),
  (bytes, random) => {
    // A letter as its escape: the same text.
    const place = bytes.indexOf(random.pick(['e', 'o', 's']), at(bytes, random));
    if (place === -1) return bytes;
    const escaped = `\\u00${(bytes[place] ?? 0).toString(16)}`;
    return Buffer.concat([bytes.subarray(0, place), Buffer.from(escaped), bytes.subarray(place + 1)]);
  },
];

function mutateOnce(bytes: Buffer, random: Random): Buffer {
  return random.pick(MUTATIONS)(bytes, random);
}

/** The bytes with one to four mutations; mostly one, since many rarely leave anything that can be read. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes;
  const count = random.below(3) === 0 ? 2 + random.below(3) : 1;
  for (let i = 0; i < count; i++) mutated = mutateOnce(mutated, random);
  return mutated;
}
