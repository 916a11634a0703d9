/**
 * Letters of other scripts that look like a Latin one. From Unicode's `confusables.txt` (UTS #39), the part that
 * fonts commonly draw alike: Cyrillic, Greek, Armenian, Cherokee, and a few letter-like symbols.
 */
const PAIRS =
  'аaвbсcԁdеeҽeһhіiјjкkӏlмmнhоoрpԛqѕsтtѵvѡwхxуyүyзzгrпnбbьb' +
  'αaβbγyεeηnιiκkνvοoρpσoτtυuχxωwζzμu' +
  'աwեeհhոnսuօoցgզqԼlյjտsս' +
  'ɑaɡgıiɩiʟlꓲiℓlƽsᴏoꜱsʀrɴnᴀaʙbᴄcᴅdᴇeꜰfɢgʜhᴊjᴋkᴍmᴘpᴛtᴜuᴠvᴡwʏyᴢz' +
  'ᎪaᏴbᏟcᎠdᎬeᏀgᎻhᏆiᎫjᏦkᏞlᎷmΝnᏢpᏒrᏚsᎢtᏙvᎳwᎩyᏃz';

const LATIN = buildTable(PAIRS);
const cache = new Map<string, string>();

function buildTable(pairs: string): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  const characters = [...pairs];
  for (let i = 0; i + 1 < characters.length; i += 2) {
    const [from, to] = [characters[i], characters[i + 1]];
    if (from && to && /[a-z]/.test(to)) table.set(from.toLowerCase(), to);
  }
  return table;
}

/** The character in lower case, compatibility forms and accents removed, a Latin letter where it looks like one. */
export function foldLookAlike(character: string): string {
  const known = cache.get(character);
  if (known !== undefined) return known;
  const base = character
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
  const folded = [...(base === '' ? character : base)]
    .map((one) => LATIN.get(one) ?? PUNCTUATION.get(one) ?? one)
    .join('');
  if (cache.size < 4096) cache.set(character, folded);
  return folded;
}

const PUNCTUATION: ReadonlyMap<string, string> = new Map([
  ['‘', "'"],
  ['’', "'"],
  ['ʼ', "'"],
  ['“', '"'],
  ['”', '"'],
  ['‐', '-'],
  ['‑', '-'],
  ['–', '-'],
  ['—', '-'],
  ['…', '...'],
  ['。', '.'],
  ['，', ','],
  ['⟨', '<'],
  ['⟩', '>'],
  ['‹', '<'],
  ['›', '>'],
]);

/** Digits and letters that a hurried eye takes for each other. */
const SHAPES: ReadonlyMap<string, string> = new Map([
  ['0', 'o'],
  ['1', 'l'],
  ['i', 'l'],
  ['|', 'l'],
  ['5', 's'],
]);

/**
 * What a name looks like: look-alikes folded, separators and hidden characters left out, `0`/`o`, `1`/`i`/`l`,
 * `5`/`s`, `rn`/`m` and `vv`/`w` alike. Two names with one skeleton are easily mistaken for each other.
 */
export function skeleton(name: string): string {
  return [...name]
    .map(foldLookAlike)
    .join('')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\s._:/-]/gu, '')
    .replace(/[015i|]/g, (shape) => SHAPES.get(shape) ?? shape)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

const LATIN_LETTER = /\p{Script=Latin}/u;
const ALIEN_LETTER =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u;

/**
 * The first word of `name` that mixes Latin letters with those of a script that looks like it, or that is written in
 * compatibility forms (full-width, mathematical letters).
 */
export function mixedWord(name: string): { start: number; end: number } | undefined {
  for (const match of name.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const word = match[0];
    const mixed = LATIN_LETTER.test(word) && ALIEN_LETTER.test(word);
    const forms = /[\u{1d400}-\u{1d7ff}\uff21-\uff3a\uff41-\uff5a\u{1f130}-\u{1f189}]/u.test(word);
    if (mixed || forms) return { start: match.index, end: match.index + word.length };
  }
  return undefined;
}
