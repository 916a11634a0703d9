import { AgentGateError, messageOf } from '../util/errors.ts';
import type { ConfigNode } from './config-node.ts';

/** Checked readers of the policy's values. All throw `E_POLICY` with line and column. */
export class PolicyReader {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  fail(node: ConfigNode | { place: ConfigNode['place'] }, message: string): never {
    const { line, column } = node.place;
    throw new AgentGateError('E_POLICY', message, { file: this.file, line, column });
  }

  /** The members of an object by name; with `known`, any other name is an error. A null member is an error too. */
  members(node: ConfigNode, what: string, known?: readonly string[]): Map<string, ConfigNode> {
    if (node.kind !== 'object') return this.fail(node, `${what} must be an object.`);
    const members = new Map<string, ConfigNode>();
    for (const { key, place, node: child } of node.members) {
      if (known && !known.includes(key)) {
        this.fail(
          { place },
          `${what} has the unknown key ${JSON.stringify(key)}; known are ${known.join(', ')}.`,
        );
      }
      if (key === '') this.fail({ place }, `${what} has an empty key.`);
      if (child.kind === 'scalar' && child.value === null) {
        this.fail({ place }, `${what}: ${JSON.stringify(key)} has no value; give it one or remove it.`);
      }
      members.set(key, child);
    }
    return members;
  }

  needed(members: Map<string, ConfigNode>, key: string, node: ConfigNode, what: string): ConfigNode {
    return members.get(key) ?? this.fail(node, `${what} has no "${key}".`);
  }

  items(node: ConfigNode, what: string): ConfigNode[] {
    return node.kind === 'array' ? node.items : this.fail(node, `${what} must be a list.`);
  }

  text(node: ConfigNode, what: string): string {
    if (node.kind === 'scalar' && typeof node.value === 'string' && node.value !== '') return node.value;
    return this.fail(node, `${what} must be a text; put it in quotes.`);
  }

  /** A text, or a number or truth value as its text, as the value of a variable. */
  scalarText(node: ConfigNode, what: string): string {
    if (node.kind !== 'scalar' || node.value === null) return this.fail(node, `${what} must be a text.`);
    const text = String(node.value);
    return text.includes('\0') ? this.fail(node, `${what} holds a NUL character.`) : text;
  }

  truth(node: ConfigNode, what: string): boolean {
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
    return this.fail(node, `${what} must be true or false.`);
  }

  oneOf<T extends string>(node: ConfigNode, what: string, values: readonly T[]): T {
    const found = values.find((value) => node.kind === 'scalar' && node.value === value);
    return found ?? this.fail(node, `${what} must be one of ${values.join(', ')}.`);
  }

  seconds(node: ConfigNode, what: string, most: number): number {
    const value = node.kind === 'scalar' ? node.value : undefined;
    if (typeof value === 'number' && value > 0 && value <= most) return value;
    return this.fail(node, `${what} must be a number of seconds above 0 and up to ${most}.`);
  }

  /** A text with a letter or digit: what a reader can see. */
  reason(node: ConfigNode, what: string): string {
    if (node.kind === 'scalar' && typeof node.value === 'string' && /[\p{L}\p{N}]/u.test(node.value))
      return node.value.trim();
    return this.fail(node, `${what} must be a reason in words.`);
  }

  variable(name: string, node: ConfigNode, what: string): string {
    return /[=\0\s]/.test(name) || name === ''
      ? this.fail(node, `${what}: ${JSON.stringify(name)} is no name of a variable.`)
      : name;
  }

  /** A JSON pointer (RFC 6901). */
  pointer(node: ConfigNode, what: string): string {
    const text = this.text(node, what);
    return text.startsWith('/') && !/~(?![01])/.test(text)
      ? text
      : this.fail(node, `${what} must be a JSON pointer, such as /description.`);
  }

  /** A regular expression, global and by code points. */
  pattern(node: ConfigNode, what: string, most: number): RegExp {
    const text = this.text(node, what);
    if (text.length > most) return this.fail(node, `${what} is over ${most} characters.`);
    let pattern: RegExp;
    try {
      pattern = new RegExp(text, 'gu');
    } catch (error) {
      const why = messageOf(error).replace(/^Invalid regular expression: /, '');
      return this.fail(node, `${what} is no regular expression: ${why}.`);
    }
    // It would put its replacement between all characters.
    return new RegExp(text, 'u').test('')
      ? this.fail(node, `${what} matches nothing at all; make it match a text.`)
      : pattern;
  }

  /** A calendar day, `2027-03-01`. */
  date(node: ConfigNode, what: string): string {
    const text = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
    const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
    if (day && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text;
    return this.fail(node, `${what} must be a day, such as 2027-03-01.`);
  }
}
