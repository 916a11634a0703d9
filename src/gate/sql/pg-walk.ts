import {
  PG_FUNCTION_LIKE,
  pgFieldNames,
  pgOperators,
  pgReadFunctions,
  pgSecretRelations,
  pgSetFunctions,
  pgTypes,
} from './pg-functions.ts';
import { type PgShape, pgReadShapes, pgScalarShapes } from './pg-shapes.ts';
import { isNode, listAt, member, nodeAt, type Tree, type TreeNode, tagged, textAt } from './tree.ts';
import type { SqlConcern } from './types.ts';

/** The review lists, built once by the worker. */
export interface PgLists {
  read: ReadonlyMap<string, PgShape>;
  scalar: ReadonlyMap<string, PgShape>;
  functions: ReadonlySet<string>;
  setFunctions: ReadonlySet<string>;
  fieldNames: ReadonlySet<string>;
  types: ReadonlySet<string>;
  operators: ReadonlySet<string>;
  secret: ReadonlySet<string>;
}

export function pgLists(): PgLists {
  return {
    read: pgReadShapes(),
    scalar: pgScalarShapes(),
    functions: pgReadFunctions(),
    setFunctions: pgSetFunctions(),
    fieldNames: pgFieldNames(),
    types: pgTypes(),
    operators: pgOperators(),
    secret: pgSecretRelations(),
  };
}

/** The strings of a list of String nodes, `undefined` for any other node. */
export function strings(list: readonly Tree[]): (string | undefined)[] {
  return list.map((item) => textAt(nodeAt(item, 'String'), 'sval'));
}

/** The last part of a name that has no schema or the schema `pg_catalog`; undefined for any other name. */
function builtInName(list: readonly Tree[], schemas: readonly string[] = ['pg_catalog']): string | undefined {
  const names = strings(list);
  if (names.length === 1) return names[0];
  const schema = names[0];
  return names.length === 2 && schema !== undefined && schemas.includes(schema) ? names[1] : undefined;
}

const shown = (list: readonly Tree[]): string => strings(list).join('.');

/**
 * Walks an expression or a query of PostgreSQL and collects what is not known to only read. One per statement:
 * it knows which names stand for functions in FROM.
 */
export class PgWalk {
  readonly concerns: SqlConcern[] = [];
  /** Rows are locked: FOR UPDATE and the like. */
  locks = false;
  readonly #lists: PgLists;
  readonly #scalar: boolean;
  /** Names in FROM that stand for one value, so that `name.attribute` calls a function. */
  readonly #functionAliases = new Map<string, Set<string>>();

  /** `scalar`: the expressions of DML, which may hold no query and no function that gives many rows. */
  constructor(lists: PgLists, scalar: boolean) {
    this.#lists = lists;
    this.#scalar = scalar;
  }

  /** A wrapped node, a list of them, or a plain value. */
  visit(tree: Tree | undefined): void {
    if (Array.isArray(tree)) {
      for (const item of tree) this.visit(item);
      return;
    }
    if (!isNode(tree)) return;
    for (const [type, node] of Object.entries(tree)) this.node(type, node);
  }

  node(type: string, node: Tree): void {
    const shapes = this.#scalar ? this.#lists.scalar : this.#lists.read;
    const shape = shapes.get(type);
    if (!shape || !isNode(node)) {
      this.#hold('E_SQL_SHAPE', `${type} is not a part of a known read`);
      return;
    }
    this.#check(type, node);
    for (const [field, value] of Object.entries(node)) {
      const inline = shape.get(field);
      if (inline === undefined) this.#hold('E_SQL_SHAPE', `${type}.${field} is not a part of a known read`);
      else if (inline) this.node(inline, value);
      else this.visit(value);
    }
  }

  /** Finds the names in FROM that stand for functions. To be called with the whole statement before walking it. */
  noteFunctions(tree: Tree): void {
    if (Array.isArray(tree)) {
      for (const item of tree) this.noteFunctions(item);
      return;
    }
    if (!isNode(tree)) return;
    const inFrom = nodeAt(tree, 'RangeFunction');
    if (inFrom) this.#noteFunction(inFrom);
    for (const value of Object.values(tree)) this.noteFunctions(value);
  }

  #noteFunction(node: TreeNode): void {
    const columns = new Set<string>();
    const alias = nodeAt(node, 'alias');
    const names = [textAt(alias, 'aliasname')];
    for (const name of strings(listAt(alias, 'colnames'))) if (name) columns.add(name);
    for (const column of listAt(node, 'coldeflist')) {
      const name = textAt(nodeAt(column, 'ColumnDef'), 'colname');
      if (name) columns.add(name);
    }
    for (const item of listAt(node, 'functions')) {
      const call = nodeAt(listAt(nodeAt(item, 'List'), 'items')[0], 'FuncCall');
      names.push(strings(listAt(call, 'funcname')).at(-1));
    }
    for (const name of names) {
      if (!name) continue;
      // A name used twice, in two parts of the statement, keeps only the columns that both have.
      const before = this.#functionAliases.get(name);
      const kept = before ? [...columns].filter((column) => before.has(column)) : columns;
      this.#functionAliases.set(name, new Set(kept).add(name));
    }
  }

  #hold(code: SqlConcern['code'], text: string): void {
    this.concerns.push({ code, text });
  }

  #check(type: string, node: TreeNode): void {
    if (type === 'FuncCall') this.#function(node);
    else if (type === 'TypeName') this.#type(node);
    else if (type === 'A_Expr') this.#operator(listAt(node, 'name'));
    else if (type === 'SubLink') this.#operator(listAt(node, 'operName'));
    else if (type === 'ColumnRef') this.#column(listAt(node, 'fields'));
    else if (type === 'A_Indirection') this.#attributes(listAt(node, 'indirection'));
    else if (type === 'RangeVar') this.#relation(node);
    else if (type === 'CommonTableExpr') this.#commonTable(node);
    else if (type === 'RangeTableSample') this.#sample(listAt(node, 'method'));
    else if (type === 'LockingClause') this.locks = true;
  }

  #commonTable(node: TreeNode): void {
    const kind = tagged(member(node, 'ctequery'))?.[0] ?? 'something else';
    if (kind !== 'SelectStmt') this.#hold('E_SQL_SHAPE', `WITH holds ${kind}, not a query`);
  }

  #sample(method: readonly Tree[]): void {
    if (!['system', 'bernoulli'].includes(builtInName(method) ?? '')) {
      this.#hold('E_SQL_FUNCTION', `the sampling method ${shown(method)} is not known`);
    }
  }

  #function(node: TreeNode): void {
    const parts = listAt(node, 'funcname');
    const name = builtInName(parts, ['pg_catalog', 'information_schema']);
    // The accessors behind the statistics views all only read.
    const known = name !== undefined && (this.#lists.functions.has(name) || name.startsWith('pg_stat_get_'));
    if (!known) {
      this.#hold('E_SQL_FUNCTION', `the function ${shown(parts)} is not known to only read`);
    } else if (this.#scalar && this.#lists.setFunctions.has(name)) {
      this.#hold('E_SQL_FUNCTION', `the function ${name} gives any number of rows`);
    }
  }

  #type(node: TreeNode): void {
    const parts = listAt(node, 'names');
    const name = builtInName(parts, ['pg_catalog', 'information_schema', 'public']);
    if (name === undefined || !this.#lists.types.has(name)) {
      this.#hold(
        'E_SQL_FUNCTION',
        `the type ${shown(parts)} is not a built-in one, and a cast to it may run code`,
      );
    }
  }

  #operator(parts: readonly Tree[]): void {
    if (parts.length === 0) return;
    const name = builtInName(parts);
    if (name === undefined || !this.#lists.operators.has(name.toLowerCase())) {
      if (
        name !== undefined &&
        ['BETWEEN', 'NOT BETWEEN', 'BETWEEN SYMMETRIC', 'NOT BETWEEN SYMMETRIC'].includes(name)
      )
        return;
      this.#hold('E_SQL_FUNCTION', `the operator ${shown(parts)} is not a known one`);
    }
  }

  /** `alias.name` with a function as alias, and `anything.pg_read_file`, are calls: manual, "Using Composite Types". */
  #column(fields: readonly Tree[]): void {
    if (fields.length < 2) return;
    const names = strings(fields);
    const last = names.at(-1);
    if (last === undefined || this.#lists.functions.has(last)) return;
    if (PG_FUNCTION_LIKE.test(last)) {
      this.#hold('E_SQL_FUNCTION', `${names.join('.')} may be a call of the function ${last}`);
      return;
    }
    const columns = this.#functionAliases.get(names.at(-2) ?? '');
    if (columns && !columns.has(last) && !this.#lists.fieldNames.has(last)) {
      this.#hold('E_SQL_FUNCTION', `${names.join('.')} may be a call of the function ${last}`);
    }
  }

  #attributes(parts: readonly Tree[]): void {
    for (const part of parts) {
      const name = textAt(nodeAt(part, 'String'), 'sval');
      if (name === undefined || this.#lists.functions.has(name) || this.#lists.fieldNames.has(name)) continue;
      this.#hold('E_SQL_FUNCTION', `(…).${name} may be a call of the function ${name}`);
    }
  }

  #relation(node: TreeNode): void {
    const name = textAt(node, 'relname') ?? '';
    const schema = textAt(node, 'schemaname');
    if (this.#lists.secret.has(name) && (schema === undefined || schema === 'pg_catalog')) {
      this.#hold('E_SQL_SHAPE', `${name} shows what the server keeps secret`);
    }
  }
}
