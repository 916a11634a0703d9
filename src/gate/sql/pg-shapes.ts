/**
 * The parts of PostgreSQL's parse tree (`parsenodes.h`, `primnodes.h` as libpg-query prints them) that a read is
 * made of. A node or field that is not here is held. `field:Type` says that the field holds a `Type` without its
 * name; other fields hold wrapped nodes (`{"A_Const": {…}}`), lists of them, or plain values.
 */
const READ = `
SelectStmt distinctClause targetList fromClause whereClause groupClause groupDistinct havingClause windowClause valuesLists sortClause limitOffset limitCount limitOption lockingClause withClause:WithClause op all larg:SelectStmt rarg:SelectStmt
WithClause ctes recursive
CommonTableExpr ctename aliascolnames ctematerialized ctequery search_clause:CTESearchClause cycle_clause:CTECycleClause
CTESearchClause search_col_list search_breadth_first search_seq_column
CTECycleClause cycle_col_list cycle_mark_column cycle_mark_value cycle_mark_default cycle_path_column
LockingClause lockedRels strength waitPolicy
RangeVar catalogname schemaname relname inh relpersistence alias:Alias
Alias aliasname colnames
RangeSubselect lateral subquery alias:Alias
RangeFunction lateral ordinality is_rowsfrom functions alias:Alias coldeflist
ColumnDef colname typeName:TypeName is_local collClause:CollateClause
RangeTableSample relation method args repeatable
RangeTableFunc lateral docexpr rowexpr namespaces columns alias:Alias
RangeTableFuncCol colname typeName:TypeName for_ordinality is_not_null colexpr coldefexpr
JoinExpr jointype isNatural larg rarg usingClause join_using_alias:Alias quals alias:Alias rtindex
WindowDef name refname partitionClause orderClause frameOptions startOffset endOffset
SortBy node sortby_dir sortby_nulls
GroupingSet kind content
GroupingFunc args
SubLink subLinkType testexpr operName subselect
ResTarget name val
CollateClause arg collname
XmlExpr op name named_args args xmloption indent
XmlSerialize xmloption expr typeName:TypeName indent
JsonTable context_item:JsonValueExpr pathspec:JsonTablePathSpec passing columns on_error:JsonBehavior alias:Alias lateral
JsonTableColumn coltype name typeName:TypeName pathspec:JsonTablePathSpec format:JsonFormat wrapper quotes columns on_empty:JsonBehavior on_error:JsonBehavior
JsonTablePathSpec string name
JsonFuncExpr op column_name context_item:JsonValueExpr pathspec passing output:JsonOutput on_empty:JsonBehavior on_error:JsonBehavior wrapper quotes
JsonOutput typeName:TypeName returning:JsonReturning
JsonReturning format:JsonFormat
JsonBehavior btype expr
JsonArgument val:JsonValueExpr name
JsonObjectConstructor exprs output:JsonOutput absent_on_null unique
JsonArrayConstructor exprs output:JsonOutput absent_on_null
JsonArrayQueryConstructor query output:JsonOutput format:JsonFormat absent_on_null
JsonObjectAgg constructor:JsonAggConstructor arg:JsonKeyValue absent_on_null unique
JsonArrayAgg constructor:JsonAggConstructor arg:JsonValueExpr absent_on_null
JsonAggConstructor output:JsonOutput agg_filter agg_order over:WindowDef
JsonParseExpr expr:JsonValueExpr output:JsonOutput unique_keys
JsonScalarExpr expr output:JsonOutput
JsonSerializeExpr expr:JsonValueExpr output:JsonOutput
JsonIsPredicate expr format:JsonFormat item_type unique_keys
JsonKeyValue key value:JsonValueExpr
JsonValueExpr raw_expr formatted_expr:JsonValueExpr format:JsonFormat
JsonFormat format_type encoding`;

/** What an expression is made of that reads no table: all that DML may hold. */
const SCALAR = `
A_Const ival:Leaf fval:Leaf sval:Leaf bsval:Leaf boolval:Leaf isnull
Leaf ival fval sval bsval boolval
String sval
Integer ival
Float fval
Boolean boolval
List items
A_Star
ColumnRef fields
ParamRef number
A_Expr kind name lexpr rexpr rexpr_list_start rexpr_list_end
BoolExpr boolop args
NullTest arg nulltesttype
BooleanTest arg booltesttype
CaseExpr arg args defresult
CaseWhen expr result
CoalesceExpr args
MinMaxExpr op args
SQLValueFunction op typmod
TypeCast arg typeName:TypeName
TypeName names typmods typemod arrayBounds
FuncCall funcname args agg_order agg_filter over:WindowDef agg_within_group agg_star agg_distinct func_variadic funcformat
NamedArgExpr arg name argnumber
A_ArrayExpr elements list_start list_end
A_Indirection arg indirection
A_Indices is_slice lidx uidx
RowExpr args row_format colnames
SetToDefault`;

/** Field name to the type of a node written without its name, or `''`. */
export type PgShape = ReadonlyMap<string, string>;

function table(text: string): ReadonlyMap<string, PgShape> {
  const shapes = new Map<string, PgShape>();
  for (const line of text.trim().split('\n')) {
    const [type = '', ...fields] = line.trim().split(' ');
    shapes.set(
      type,
      new Map(
        fields.map((field): [string, string] => {
          const [name = '', inline = ''] = field.split(':');
          return [name, inline];
        }),
      ),
    );
  }
  return shapes;
}

/** Shapes of a query. */
export function pgReadShapes(): ReadonlyMap<string, PgShape> {
  return table(`${READ.trim()}\n${SCALAR.trim()}`);
}

/** Shapes of the expressions in INSERT, UPDATE and DELETE: no subquery, no aggregate over rows of another table. */
export function pgScalarShapes(): ReadonlyMap<string, PgShape> {
  return table(`${SCALAR.trim()}\nCollateClause arg collname`);
}
