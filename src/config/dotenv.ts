/**
 * Parses a dotenv file: `KEY=VALUE` lines, `export` before it, `#` comments, single or double quotes (`\n` and `\"`
 * are escapes in double ones only). No references are expanded. Lines of any other shape are left out.
 */
export function parseDotenv(text: string): Map<string, string> {
  const result = new Map<string, string>();
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$/.exec(line);
    if (!match) continue;
    const [, name = '', raw = ''] = match;
    result.set(name, unquote(raw));
  }
  return result;
}

function unquote(raw: string): string {
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(raw)?.[1];
  if (double !== undefined) {
    return double.replace(/\\(.)/g, (_, c: string) =>
      c === 'n' ? '\n' : c === 'r' ? '\r' : c === 't' ? '\t' : c,
    );
  }
  const single = /^'([^']*)'/.exec(raw)?.[1];
  return single ?? raw.replace(/\s+#.*$/, '').replace(/^#.*$/, '');
}
