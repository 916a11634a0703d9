import { codePointName } from '../util/hidden.ts';

/** How changed white space is drawn where nothing else changed. */
export interface SpaceSigns {
  space: string;
  tab: string;
  end: string;
}

/**
 * Signs that neither text holds, so that no text can pretend to have been changed so. The lines that show them are
 * announced by {@link spaceNote}.
 */
export function spaceSigns(before: string, after: string): SpaceSigns {
  const free = (signs: string[], last: string): string =>
    signs.find((sign) => !before.includes(sign) && !after.includes(sign)) ?? last;
  return {
    space: free(['·', '␣', '▫', '◦'], '⟨U+0020⟩'),
    tab: free(['⇥', '↹', '⇨', '▸'], '⟨U+0009⟩'),
    end: free(['⏎', '↵', '¶', '↲'], '⟨U+000A⟩'),
  };
}

/** `only spacing changed: · is a space, ⇥ a tab, ⏎ a line end`. */
export function spaceNote({ space, tab, end }: SpaceSigns): string {
  return `spacing: ${space} is a space, ${tab} a tab, ${end} a line end`;
}

/** White space as signs; other white space than spaces and tabs by its code point. */
export function withSpaceSigns(text: string, signs: SpaceSigns): string {
  return text.replace(/\s/gu, (character) => {
    if (character === ' ') return signs.space;
    return character === '\t' ? signs.tab : `⟨${codePointName(character)}⟩`;
  });
}
