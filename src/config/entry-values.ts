import { type ConfigMember, type ConfigNode, invalid, member } from './config-node.ts';

/** Linux takes no argument over 128 KiB; no sane config comes near this. */
const MAX_TEXT = 32_768;

/** Readers of one entry's members. All throw `E_CONFIG_INVALID` with the place of the wrong value. */
export class EntryReader {
  readonly file: string;
  readonly what: string;

  /** `what` names the entry in messages, as in `Server "github"`. */
  constructor(file: string, what: string) {
    this.file = file;
    this.what = what;
  }

  fail(node: { place: { line: number; column: number } }, message: string): never {
    throw invalid(this.file, node.place, message);
  }

  /** The first of the members that is there. */
  first(entry: ConfigNode, ...keys: string[]): ConfigMember | undefined {
    for (const key of keys) {
      const found = member(entry, key);
      if (found) return found;
    }
    return undefined;
  }

  string(entry: ConfigNode, ...keys: string[]): string | undefined {
    const found = this.first(entry, ...keys);
    return found && this.text(found.node, found.key);
  }

  boolean(entry: ConfigNode, key: string): boolean | undefined {
    const found = member(entry, key);
    if (!found) return undefined;
    if (found.node.kind === 'scalar' && typeof found.node.value === 'boolean') return found.node.value;
    return this.fail(found, `${this.what}: ${JSON.stringify(key)} must be true or false.`);
  }

  /** A list of texts; a number or truth value is taken as its text, as the clients do. */
  strings(entry: ConfigNode, ...keys: string[]): string[] {
    const found = this.first(entry, ...keys);
    if (!found) return [];
    if (found.node.kind !== 'array') {
      return this.fail(found, `${this.what}: ${JSON.stringify(found.key)} must be a list of texts.`);
    }
    return found.node.items.map((item, index) => this.scalar(item, `${found.key}[${index}]`));
  }

  /** An object of texts; members that are `null` are left out. */
  map(entry: ConfigNode, ...keys: string[]): Map<string, string> {
    const found = this.first(entry, ...keys);
    const result = new Map<string, string>();
    if (!found) return result;
    if (found.node.kind !== 'object') {
      return this.fail(found, `${this.what}: ${JSON.stringify(found.key)} must be an object of texts.`);
    }
    for (const { key, node } of found.node.members) {
      if (node.kind === 'scalar' && node.value === null) continue;
      result.set(key, this.scalar(node, `${found.key}.${key}`));
    }
    return result;
  }

  text(node: ConfigNode, key: string): string {
    if (node.kind === 'scalar' && typeof node.value === 'string') return this.clean(node, node.value, key);
    return this.fail(node, `${this.what}: ${JSON.stringify(key)} must be a text.`);
  }

  scalar(node: ConfigNode, key: string): string {
    if (node.kind === 'scalar' && node.value !== null) return this.clean(node, String(node.value), key);
    return this.fail(node, `${this.what}: ${JSON.stringify(key)} must be a text.`);
  }

  private clean(node: ConfigNode, text: string, key: string): string {
    // A NUL ends an argument or a variable early: what runs would not be what is written.
    if (text.length > MAX_TEXT) {
      this.fail(node, `${this.what}: ${JSON.stringify(key)} is over ${MAX_TEXT} characters.`);
    }
    if (text.includes('\0')) this.fail(node, `${this.what}: ${JSON.stringify(key)} holds a NUL character.`);
    return text;
  }
}
