/** Colours for a terminal; each function returns its text unchanged when colour is off. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** The styles, on or off. Whether a stream wants colour is the command line's to say. */
export function style(color: boolean): Style {
  const wrap =
    (on: number, off: number) =>
    (text: string): string =>
      color && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    red: wrap(31, 39),
    green: wrap(32, 39),
    yellow: wrap(33, 39),
    cyan: wrap(36, 39),
  };
}
