/** The program that a command names: its file name without `.cmd`, `.exe` and the like, lower-case, on any system. */
export function programName(command: string): string {
  const base = command.split(/[\\/]/).at(-1) ?? command;
  return base.replace(/\.(cmd|exe|bat|ps1|com)$/i, '').toLowerCase();
}

/**
 * Splits a command line into words as a shell would: quotes, and a backslash before a space, a quote, `$` or a
 * backslash. Any other backslash is part of a Windows path. No expansion of any kind.
 */
export function splitCommandLine(line: string): string[] {
  return scriptTokens(line).map(({ text }) => text);
}

export interface ScriptToken {
  text: string;
  /** An operator of the shell (`&&`, `|`, `;` …), or a word that the shell would compute (`$(…)`). */
  operator: boolean;
}

/** The words and operators of a shell script's line. */
export function scriptTokens(line: string): ScriptToken[] {
  const tokens: ScriptToken[] = [];
  let word = '';
  let started = false;
  let computed = false;
  const end = (): void => {
    if (started) tokens.push({ text: word, operator: computed });
    word = '';
    started = false;
    computed = false;
  };
  for (let i = 0; i < line.length; i++) {
    const c = line[i] ?? '';
    const next = line[i + 1] ?? '';
    if (c === "'") {
      const close = line.indexOf("'", i + 1);
      const stop = close < 0 ? line.length : close;
      word += line.slice(i + 1, stop);
      started = true;
      i = stop;
    } else if (c === '"') {
      started = true;
      for (i++; i < line.length && line[i] !== '"'; i++) {
        if (line[i] === '\\' && /["\\$`]/.test(line[i + 1] ?? '')) i++;
        else if (line[i] === '`' || (line[i] === '$' && line[i + 1] === '(')) computed = true;
        word += line[i] ?? '';
      }
    } else if (c === '\\' && /[\s"'\\$`]/.test(next)) {
      word += next;
      started = true;
      i++;
    } else if (c === '\n' || c === ';' || c === '|' || c === '&') {
      end();
      const doubled = c !== '\n' && next === c;
      tokens.push({ text: doubled ? c + c : c, operator: true });
      if (doubled) i++;
    } else if (/\s/.test(c)) {
      end();
    } else {
      if (c === '`' || c === '(' || c === ')' || ((c === '<' || c === '>') && word !== '2')) computed = true;
      word += c;
      started = true;
    }
  }
  end();
  return tokens;
}
