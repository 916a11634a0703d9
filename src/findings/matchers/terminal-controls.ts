import type { TextContext, TextHit } from '../rule.ts';

const CONTROL =
  /\u001b(?:\[[0-9;:?]{0,40}[ -/]{0,3}[@-~]|\][^\u0007\u001b]{0,300}(?:\u0007|\u001b\\)?|[@-Z\\^_PX])?|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f]/g;

const ANY_CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** Escape sequences and other controls: they repaint a terminal, while the model reads on. */
export function terminalControls(context: TextContext): TextHit[] {
  if (!ANY_CONTROL.test(context.raw)) return [];
  const all = [...context.raw.matchAll(CONTROL)];
  const [first] = all;
  if (first) {
    const last = all.findLast((match) => match.index - first.index < 160) ?? first;
    const message =
      first[0].startsWith('\u001b') || first[0] === '\u009b'
        ? 'holds terminal escape sequences'
        : 'holds control characters';
    return [{ start: first.index, end: last.index + last[0].length, message }];
  }
  // A lone carriage return goes back to the start of the line, over what stood there.
  const lone = /[^\r\n]\r(?!\n|$)/.exec(context.raw);
  return lone
    ? [
        {
          start: lone.index,
          end: lone.index + 2,
          message: 'holds a carriage return that overwrites the line',
        },
      ]
    : [];
}
