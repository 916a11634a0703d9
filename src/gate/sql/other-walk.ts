import { isKnownFunction, type OtherLists } from './other-lists.ts';
import { isEmpty } from './other-members.ts';
import { identifier, nameParts } from './other-names.ts';
import type { OtherShapes } from './other-shapes.ts';
import { checkTableName } from './table-names.ts';
import { isNode, listAt, member, nodeAt, type Tree, type TreeNode } from './tree.ts';
import type { SqlConcern } from './types.ts';

/** Literals, where they stand without `Value` around them. */
const LITERALS = new Set(
  `SingleQuotedString DoubleQuotedString NationalStringLiteral Number Boolean HexStringLiteral EscapedStringLiteral
  SingleQuotedByteStringLiteral DoubleQuotedByteStringLiteral SingleQuotedRawStringLiteral
  DoubleQuotedRawStringLiteral UnicodeStringLiteral Placeholder`.split(/\s+/),
);

/** Table hints of T-SQL that neither lock more nor name something outside. */
const HINTS = new Set([
  'NOLOCK',
  'READUNCOMMITTED',
  'READCOMMITTED',
  'READPAST',
  'NOEXPAND',
  'ROWLOCK',
  'FORCESEEK',
]);

/** Walks a query or an expression of sqlparser's tree and collects what is not known to only read. */
export class OtherWalk {
  readonly concerns: SqlConcern[] = [];
  /** Rows are locked: FOR UPDATE and the like. */
  locks = false;
  readonly #lists: OtherLists;
  readonly #shapes: OtherShapes;

  constructor(lists: OtherLists, scalar: boolean) {
    this.#lists = lists;
    this.#shapes = scalar ? lists.scalar : lists.read;
  }

  /** Visits what the key `holder` holds. */
  visit(holder: string, tree: Tree | undefined): void {
    if (Array.isArray(tree)) {
      for (const item of tree) this.visit(holder, item);
    } else if (typeof tree === 'string') {
      this.#word(holder, tree);
    } else if (isNode(tree) && !identifier(tree)) {
      for (const [key, value] of Object.entries(tree)) {
        if (!isEmpty(value)) this.#entry(holder, key, value);
      }
    }
  }

  #entry(holder: string, key: string, value: Tree): void {
    const isVariant = /^[A-Z]/.test(key);
    if (holder === 'op') {
      this.#hold('E_SQL_FUNCTION', 'an operator that is not a known one');
      return;
    }
    if (LITERALS.has(key)) return;
    if (isVariant ? !this.#shapes.variants.has(key) : !this.#shapes.members.has(`${holder}/${key}`)) {
      this.#hold('E_SQL_SHAPE', isVariant ? `${key} is not a part of a known read` : `${holder} with ${key}`);
      return;
    }
    switch (key) {
      case 'Value':
        return;
      case 'data_type':
      case 'field_type':
        this.#type(value);
        return;
      case 'Function':
        // In an expression a function of values, beside FROM one that gives a table.
        this.#call(nodeAt({ value }, 'value'), holder === 'relation' ? 'table' : 'scalar');
        break;
      case 'TableFunction':
        this.#tableFunction(value);
        return;
      case 'Table':
        this.#table(value);
        break;
      case 'CompoundIdentifier':
        this.#column(value);
        return;
      case 'locks':
        this.locks = true;
        break;
      case 'with_hints':
        this.#hints(value);
        return;
      case 'optimizer_hints':
        this.#optimizerHints(value);
        return;
    }
    if (key === 'name' || key === 'format_clause' || key === 'with_offset_alias') return;
    this.visit(key, value);
  }

  #hold(code: SqlConcern['code'], text: string): void {
    this.concerns.push({ code, text });
  }

  #word(holder: string, word: string): void {
    if (holder === 'op') {
      if (!this.#shapes.operators.has(word))
        this.#hold('E_SQL_SHAPE', `the operator ${word} is not a known one`);
    } else if (!this.#shapes.freeWords.has(holder)) {
      this.#hold('E_SQL_SHAPE', `${holder} ${word} is not a part of a known read`);
    }
  }

  /** A custom type by name; the parser's own types read nothing. */
  #type(tree: Tree): void {
    if (Array.isArray(tree)) {
      for (const item of tree) this.#type(item);
      return;
    }
    if (!isNode(tree)) return;
    for (const [key, value] of Object.entries(tree)) {
      if (key === 'Custom') {
        const parts = nameParts(Array.isArray(value) ? value[0] : value);
        const name = parts?.length === 1 ? (parts[0]?.text.toLowerCase() ?? '') : '';
        if (!this.#isType(name)) {
          this.#hold(
            'E_SQL_FUNCTION',
            `the type ${parts?.map((part) => part.text).join('.') ?? 'of a cast'} is not a known one`,
          );
        }
      } else {
        this.#type(value);
      }
    }
  }

  #isType(name: string): boolean {
    return this.#lists.functions.types.has(name);
  }

  #call(node: TreeNode | undefined, kind: 'scalar' | 'table'): void {
    const parts = nameParts(member(node, 'name'));
    const name = parts?.map((part) => part.text.toLowerCase()).join('.') ?? '';
    const quoted = parts?.some((part) => part.quote !== '') ?? true;
    if (quoted || !isKnownFunction(this.#lists, name, kind)) {
      this.#hold('E_SQL_FUNCTION', `the function ${name} is not known to only read`);
    } else if (
      this.#lists.dialect === 'mysql' &&
      name === 'last_insert_id' &&
      listAt(member(nodeAt(node, 'args'), 'List'), 'args').length > 0
    ) {
      this.#hold('E_SQL_FUNCTION', 'last_insert_id with an argument changes the session');
    }
  }

  /** `TABLE(function(…))`. */
  #tableFunction(value: Tree): void {
    const call = nodeAt(member(value, 'expr'), 'Function');
    if (!call) {
      this.#hold('E_SQL_SHAPE', 'TABLE(…) of something unknown');
      return;
    }
    this.#call(call, 'table');
    this.visit('Function', { ...call, name: null });
  }

  #table(value: Tree): void {
    const parts = nameParts(member(value, 'name'));
    if (!parts) {
      this.#hold('E_SQL_SHAPE', 'a table whose name is computed');
      return;
    }
    const args = member(value, 'args');
    if (args !== undefined && args !== null) {
      this.#call(nodeAt({ value }, 'value'), 'table');
      return;
    }
    const problem = checkTableName(parts, this.#lists.dialect);
    if (problem) this.#hold('E_SQL_SHAPE', problem);
  }

  /** `sequence.NEXTVAL` is a column to look at, and counts on. */
  #column(value: Tree): void {
    const last = nameParts(value)?.at(-1)?.text.toLowerCase();
    if (last === undefined || last === 'nextval') {
      this.#hold('E_SQL_FUNCTION', 'nextval changes a sequence');
    }
  }

  #hints(value: Tree): void {
    for (const hint of Array.isArray(value) ? value : []) {
      const name = identifier(nodeAt(hint, 'Identifier'))?.text.toUpperCase() ?? 'of an unknown kind';
      if (!HINTS.has(name)) this.#hold('E_SQL_SHAPE', `the table hint ${name} is not a known one`);
    }
  }

  /** MySQL's SET_VAR changes a setting for the statement. */
  #optimizerHints(value: Tree): void {
    if (/set_var|resource_group/i.test(JSON.stringify(value))) {
      this.#hold('E_SQL_SHAPE', 'a hint that changes settings');
    }
  }
}
