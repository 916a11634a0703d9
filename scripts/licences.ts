import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The part of webpack's statistics that names the bundled files. */
interface Stats {
  modules?: BundledModule[];
}
interface BundledModule {
  nameForCondition?: string | null;
  modules?: BundledModule[];
}

/**
 * The licences of the packages in a bundle, by name, each with its text, from webpack's statistics (ncc's own list leaves out
 * what is in the entry's chunk). Throws for a package without a licence.
 */
export function licencesOf(statsFiles: readonly string[]): string {
  const folders = new Set<string>();
  const visit = (module: BundledModule): void => {
    const folder = packageOf(module.nameForCondition ?? '');
    if (folder !== undefined) folders.add(folder);
    for (const inner of module.modules ?? []) visit(inner);
  };
  for (const file of statsFiles) {
    const { modules = [] } = JSON.parse(readFileSync(file, 'utf8')) as Stats;
    for (const module of modules) visit(module);
  }
  const texts = new Map([...folders].map(licenceOf));
  return [...texts.keys()]
    .sort()
    .map((name) => `${texts.get(name)}\n`)
    .join('\n');
}

/** The folder of the package that a file belongs to; none for the project's own. */
function packageOf(file: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(`${dirname(file)}/`)?.[0];
}

function licenceOf(folder: string): [string, string] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const { name, version, license } = manifest;
  if (license === undefined) throw new Error(`${name} names no licence`);
  const file = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)(?:\.|-|$)/i.test(each));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return [`${name}@${version}`, `${name}\n${license}\n${text.replaceAll('\r\n', '\n').trim()}`.trim()];
}
