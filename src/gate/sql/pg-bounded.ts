import { pgSystemColumns } from './pg-functions.ts';
import { strings } from './pg-walk.ts';
import { listAt, member, nodeAt, plainTree, someIn, type Tree, tagged, textAt } from './tree.ts';

/** Which columns may bound a statement. */
export interface PgTarget {
  /** The table's name and alias, as a column may be qualified. */
  names: readonly string[];
  /** The only columns that bound, lower case; undefined: any. */
  keys?: readonly string[];
}

/** The column that a node names, when it is a plain column of the target; undefined for anything else. */
function columnOf(tree: Tree | undefined, target: PgTarget): string | undefined {
  const names = strings(listAt(nodeAt(tree, 'ColumnRef'), 'fields'));
  const last = names.at(-1);
  if (last === undefined || names.length > 3 || pgSystemColumns().has(last)) return undefined;
  if (names.length > 1 && !target.names.includes(names.at(-2) ?? '')) return undefined;
  // A whole row compared with a constant: the table's own name is no column.
  if (names.length === 1 && target.names.includes(last)) return undefined;
  return !target.keys || target.keys.includes(last.toLowerCase()) ? last : undefined;
}

/** A number, a string, a parameter, or one of them cast; no boolean (half a table may have it) and no NULL. */
function isConstant(tree: Tree | undefined): boolean {
  const [type, node] = tagged(tree) ?? [];
  if (type === 'ParamRef') return true;
  if (type === 'A_Const') {
    const text = textAt(nodeAt(node, 'sval'), 'sval');
    if (text !== undefined && /^\s*(t|f|true|false)\s*$/i.test(text)) return false;
    return ['ival', 'fval', 'sval', 'bsval'].some((key) => member(node, key) !== undefined);
  }
  if (type === 'TypeCast') {
    const name = strings(listAt(nodeAt(node, 'typeName'), 'names')).at(-1);
    return name !== 'bool' && name !== 'boolean' && isConstant(member(node, 'arg'));
  }
  return false;
}

function isEquals(node: Tree): boolean {
  const name = strings(listAt(node, 'name'));
  return name.length === 1 && name[0] === '=';
}

/** True when every row that the condition lets through has a column equal to a constant of the text. */
export function pgBounded(tree: Tree | undefined, target: PgTarget): boolean {
  const [type, node] = tagged(tree) ?? [];
  if (node === undefined) return false;
  if (type === 'BoolExpr') {
    const args = listAt(node, 'args');
    const op = textAt(node, 'boolop');
    if (op === 'AND_EXPR') return args.some((arg) => pgBounded(arg, target));
    if (op === 'OR_EXPR') return args.length > 0 && args.every((arg) => pgBounded(arg, target));
    return false;
  }
  if (type !== 'A_Expr' || !isEquals(node)) return false;
  const left = member(node, 'lexpr');
  const right = member(node, 'rexpr');
  switch (textAt(node, 'kind')) {
    case 'AEXPR_OP':
      return (
        (columnOf(left, target) !== undefined && isConstant(right)) ||
        (columnOf(right, target) !== undefined && isConstant(left))
      );
    case 'AEXPR_IN': {
      const items = listAt(nodeAt(right, 'List'), 'items');
      return columnOf(left, target) !== undefined && items.length > 0 && items.every(isConstant);
    }
    case 'AEXPR_OP_ANY': {
      const items = listAt(nodeAt(right, 'A_ArrayExpr'), 'elements');
      return columnOf(left, target) !== undefined && items.length > 0 && items.every(isConstant);
    }
    default:
      return false;
  }
}

const hasColumn = (tree: Tree | undefined): boolean =>
  someIn(tree, (node) => Object.hasOwn(node, 'ColumnRef') || Object.hasOwn(node, 'ParamRef'));

/** Names a branch that lets every row through, for the human; undefined when none is seen. Decides nothing. */
export function pgTautology(tree: Tree | undefined): string | undefined {
  const [type, node] = tagged(tree) ?? [];
  if (type === undefined || node === undefined) return undefined;
  if (!hasColumn(tree)) return 'a branch of WHERE does not depend on the row';
  if (type === 'BoolExpr' && textAt(node, 'boolop') === 'OR_EXPR') {
    const args = listAt(node, 'args');
    const tests = args.map((arg) => nodeAt(arg, 'NullTest')).filter((test) => test !== undefined);
    const kinds = new Set(tests.map((test) => textAt(test, 'nulltesttype')));
    if (kinds.size > 1) return 'WHERE takes a column that is NULL and one that is not';
    for (const arg of args) {
      const found = pgTautology(arg);
      if (found) return found;
    }
    return undefined;
  }
  if (type === 'BoolExpr') {
    const found = listAt(node, 'args').map(pgTautology);
    return found.every((item) => item !== undefined) ? found[0] : undefined;
  }
  if (type === 'A_Expr') {
    const left = JSON.stringify(plainTree(member(node, 'lexpr') ?? null));
    const right = JSON.stringify(plainTree(member(node, 'rexpr') ?? null));
    if (left === right) return 'WHERE compares a column with itself';
    const pattern = textAt(nodeAt(nodeAt(member(node, 'rexpr'), 'A_Const'), 'sval'), 'sval');
    if (/LIKE/.test(textAt(node, 'kind') ?? '') && pattern !== undefined && /^%+$/.test(pattern)) {
      return 'LIKE takes any text';
    }
  }
  return undefined;
}
