import type { OtherDialect } from './other-functions.ts';
import { identifier, nameParts } from './other-names.ts';
import { isNode, listAt, member, plainTree, someIn, type Tree, tagged, textAt } from './tree.ts';

export interface OtherTarget {
  dialect: OtherDialect;
  /** The alias, or else the table's name, in lower case. */
  name: string;
  /** The only columns that bound, lower case; undefined: any. */
  keys?: readonly string[];
}

/** Names that look like a column and have one value for all rows. */
const PSEUDO_COLUMNS = new Set(
  `user uid rownum level sysdate systimestamp sessiontimezone dbtimezone ora_rowscn sqlcode current_user session_user
  system_user current_date current_time current_timestamp current_role current_schema current_catalog current_database
  localtime localtimestamp connect_by_isleaf connect_by_iscycle true false null unknown default`.split(/\s+/),
);

/** A plain column of the target, in lower case. */
function columnOf(tree: Tree | undefined, target: OtherTarget): string | undefined {
  const single = identifier(member(tree, 'Identifier'));
  const parts = single ? [single] : nameParts(member(tree, 'CompoundIdentifier'));
  const last = parts?.at(-1);
  if (!parts || !last || parts.length > 2) return undefined;
  if (parts.length === 2 && parts[0]?.text.toLowerCase() !== target.name) return undefined;
  const name = last.text.toLowerCase();
  // These may take a name in double quotes for a string, by a setting or when there is no such column.
  if (last.quote === '"' && ['sqlite', 'mysql', 'mssql'].includes(target.dialect)) return undefined;
  if (!/^\p{L}[\p{L}\p{N}_]*$/u.test(name)) return undefined;
  if (last.quote === '' && PSEUDO_COLUMNS.has(name)) return undefined;
  return !target.keys || target.keys.includes(name) ? name : undefined;
}

/** The kind of a constant that compares without turning the column into something else; undefined for all else. */
function constantKind(tree: Tree | undefined, dialect: OtherDialect): 'number' | 'text' | undefined {
  const [type, node] = tagged(tree) ?? [];
  if (type === 'UnaryOp' && textAt(node, 'op') === 'Minus') {
    return constantKind(member(node, 'expr'), dialect) === 'number' ? 'number' : undefined;
  }
  if (type === 'TypedString' && dialect !== 'mysql') return 'text';
  if (type !== 'Value') return undefined;
  const value = member(node, 'value');
  const digits = listAt(value, 'Number')[0];
  if (typeof digits === 'string') {
    // MySQL compares a text with a number as numbers, and every text without digits is 0.
    if (dialect === 'mysql') return /^0*[1-9][0-9]*$/.test(digits) ? 'number' : undefined;
    return 'number';
  }
  const texts = [
    'SingleQuotedString',
    'NationalStringLiteral',
    ...(dialect === 'bigquery' ? ['DoubleQuotedString'] : []),
  ];
  return texts.some((key) => textAt(value, key) !== undefined) ? 'text' : undefined;
}

/** True when every row that the condition lets through has a column equal to a constant of the text. */
export function otherBounded(tree: Tree | undefined, target: OtherTarget): boolean {
  const [type, node] = tagged(tree) ?? [];
  if (type === 'Nested') return otherBounded(node, target);
  if (type === 'InList') {
    if (member(node, 'negated') !== false) return false;
    const kinds = new Set(listAt(node, 'list').map((item) => constantKind(item, target.dialect)));
    // One kind only: MySQL compares a mixed list as numbers.
    return columnOf(member(node, 'expr'), target) !== undefined && kinds.size === 1 && !kinds.has(undefined);
  }
  if (type !== 'BinaryOp') return false;
  const left = member(node, 'left');
  const right = member(node, 'right');
  switch (textAt(node, 'op')) {
    case 'And':
      return otherBounded(left, target) || otherBounded(right, target);
    case 'Or':
      return otherBounded(left, target) && otherBounded(right, target);
    case 'Eq':
      return (
        (columnOf(left, target) !== undefined && constantKind(right, target.dialect) !== undefined) ||
        (columnOf(right, target) !== undefined && constantKind(left, target.dialect) !== undefined)
      );
    default:
      return false;
  }
}

const hasColumn = (tree: Tree | undefined): boolean =>
  someIn(tree, (node) => Object.hasOwn(node, 'Identifier') || Object.hasOwn(node, 'CompoundIdentifier'));

/** Names a branch that lets every row through, for the human; undefined when none is seen. Decides nothing. */
export function otherTautology(tree: Tree | undefined): string | undefined {
  const [type, node] = tagged(tree) ?? [];
  if (type === undefined || node === undefined) return undefined;
  if (!hasColumn(tree)) return 'a branch of WHERE does not depend on the row';
  if (type === 'Nested') return otherTautology(node);
  if (type !== 'BinaryOp' || !isNode(node)) return undefined;
  const left = member(node, 'left');
  const right = member(node, 'right');
  if (textAt(node, 'op') === 'Or') return otherTautology(left) ?? otherTautology(right);
  if (textAt(node, 'op') === 'And') return undefined;
  const same = JSON.stringify(plainTree(left ?? null)) === JSON.stringify(plainTree(right ?? null));
  return same ? 'WHERE compares a column with itself' : undefined;
}
