import { minifySync, parseSync, Visitor } from 'vite';

/**
 * A bundle's text without white space and comments (licences are in licenses.txt), and with short names for what is
 * local; functions and classes keep theirs. Texts of several lines are put on one. Throws when the text does not parse.
 */
export function smaller(name: string, text: string): string {
  const { code, errors } = minifySync(name, text, {
    module: true,
    compress: false,
    mangle: { keepNames: true },
    codegen: { removeWhitespace: true, legalComments: 'none' },
  });
  const problem = errors[0];
  if (problem) throw new Error(`${name}: ${problem.message}`);
  return `${oneLine(name, code)}\n`;
}

/** Template literals without values and with line breaks become string literals. */
function oneLine(name: string, code: string): string {
  const found: { start: number; end: number; value: string }[] = [];
  const tags = new Set<number>();
  new Visitor({
    TaggedTemplateExpression: ({ quasi }) => void tags.add(quasi.start),
    TemplateLiteral: ({ start, end, expressions, quasis }) => {
      const value = quasis[0]?.value.cooked;
      if (expressions.length === 0 && typeof value === 'string' && value.includes('\n') && !tags.has(start))
        found.push({ start, end, value });
    },
  }).visit(parseSync(name, code).program);
  let [result, from] = ['', 0];
  for (const { start, end, value } of found.sort((a, b) => a.start - b.start)) {
    result += code.slice(from, start) + JSON.stringify(value);
    from = end;
  }
  return result + code.slice(from);
}
