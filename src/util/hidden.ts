/**
 * Characters that a reader of a diff cannot see or that reorder text: C0 and C1 controls, bidi controls,
 * everything that Unicode calls default-ignorable (zero-width, tag characters, variation selectors, fillers,
 * soft hyphen, BOM), line and paragraph separators, interlinear annotation marks, lone surrogates.
 * Source: Unicode Character Database, `DerivedCoreProperties` (Default_Ignorable_Code_Point), UAX #9.
 */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;

/** A variation selector that only says how an emoji is drawn is no hiding place. */
const EMOJI_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;

/**
 * Replaces each hidden character of `text`. `replace` gets the character (one code point, or a lone surrogate)
 * and gives its replacement; returning the character keeps it. U+FE0F after an emoji is left alone.
 */
export function replaceHidden(text: string, replace: (character: string) => string): string {
  return text.replace(HIDDEN, (character, offset: number) => {
    if (character === '\uFE0F' && EMOJI_BEFORE.test(text.slice(Math.max(0, offset - 2), offset)))
      return character;
    return replace(character);
  });
}

/** `U+200B` for a zero-width space: the usual notation of a code point. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * The text as a reader may see it safely in a report or a terminal: hidden characters become `⟨U+200B⟩`.
 * Line feeds stay (and tabs); CRLF becomes a line feed; a lone CR is shown, as it ends a line for a runner's log.
 */
export function visible(text: string): string {
  return replaceHidden(text.replaceAll('\r\n', '\n'), (character) =>
    character === '\n' || character === '\t' ? character : `⟨${codePointName(character)}⟩`,
  );
}

/** As {@link visible}, on one line: line feeds and tabs are shown too. */
export function visibleLine(text: string): string {
  return replaceHidden(text, (character) => `⟨${codePointName(character)}⟩`);
}

/** True when the text holds a character that {@link visible} would change. */
export function hasHidden(text: string): boolean {
  return visible(text) !== text.replaceAll('\r\n', '\n');
}

/** `\uXXXX` for each code unit, as JSON writes it: a surrogate pair for a character beyond U+FFFF. */
export function escapedUnits(character: string): string {
  let escaped = '';
  for (let index = 0; index < character.length; index++)
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  return escaped;
}
