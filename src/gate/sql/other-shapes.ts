/**
 * The parts of sqlparser's tree (version 0.62, as JSON) that a read is made of. Tagged values ("variants") are
 * written with a capital, members of a structure in lower case. A variant that is not listed, and a member that is
 * not listed under the key that holds it, is held; members that are empty (null, false, []) do not count.
 */

/** Expressions that read no table: all that DML may hold. */
const SCALAR_VARIANTS = `Identifier CompoundIdentifier Value BinaryOp UnaryOp Nested InList IsNull IsNotNull IsTrue
  IsNotTrue IsFalse IsNotFalse IsUnknown IsNotUnknown Like ILike Cast Convert Case Function Interval TypedString
  Extract Ceil Floor Substring Trim Position Overlay Tuple Unnamed List Expr Custom`;

const READ_VARIANTS = `${SCALAR_VARIANTS} Query Select SetOperation Values Subquery Exists InSubquery InUnnest AnyOp AllOp
  Between SimilarTo RLike IsDistinctFrom IsNotDistinctFrom AtTimeZone Collate Array Struct Dictionary Map Lambda
  Named ExprNamed MemberOf MatchAgainst JsonAccess CompoundFieldAccess Subscript Index Slice Dot Bracket OuterJoin Prior
  QualifiedWildcard Wildcard ExprWithAlias UnnamedExpr ObjectName Expressions GroupingSets Cube Rollup
  Table Derived NestedJoin UNNEST JsonTable XmlTable OpenJsonTable TableFunction Pivot Unpivot Multiple Single
  ForOrdinality NamedInfo Join Inner Left LeftOuter Right RightOuter FullOuter CrossJoin Semi LeftSemi RightSemi Anti
  LeftAnti RightAnti AsOf CrossApply OuterApply StraightJoin ArrayJoin LeftArrayJoin InnerArrayJoin On Using LimitOffset
  OffsetCommaLimit Constant One Many NamedWindow WindowSpec Preceding Following OrderBy Limit Separator Having OnOverflow
  IgnoreOrRespectNulls AfterTableAlias BeforeTableAlias TableSampleQuantity Bucket ForSystemTimeAsOf StartWith
  ConnectBy Json Xml IntegerLength Match NoKeyword Some ExceptionWhen JsonNullClause JsonReturningClause Literal Exact
  NullTreatment DateTimeField WithFill Interpolate All Any Error Truncate Parenthesized Any`;

/** Key that holds a structure, then the members it may have. */
const MEMBERS = `
Query with body order_by limit_clause fetch locks for_clause format_clause
query with body order_by limit_clause fetch
subquery with body order_by limit_clause fetch
Subquery with body order_by limit_clause fetch
statement with body
source body
with cte_tables recursive
cte_tables alias query materialized
body with body order_by limit_clause fetch
Select distinct top projection from selection connect_by flavor group_by having named_window optimizer_hints prewhere qualify top_before_distinct window_before_qualify lateral_views cluster_by distribute_by sort_by select_modifiers value_table_mode
select_modifiers straight_join
top percent quantity with_ties
quantity parenthesized value
fetch percent quantity with_ties
SetOperation left op right set_quantifier
left with body order_by limit_clause fetch
right with body order_by limit_clause fetch
Values rows
rows content
ExprWithAlias expr alias
alias name columns explicit at
columns name data_type option path path_type
Named name type path expr
NamedInfo nullable path type
from relation joins
joins relation join_operator global
NestedJoin table_with_joins alias
table_with_joins relation joins
AsOf constraint match_condition
Table name alias args version with_hints index_hints sample partitions with_ordinality json_path
args args settings
index_hints hint_type index_names index_type for_clause
Derived lateral subquery alias sample
UNNEST alias array_exprs with_offset with_offset_alias with_ordinality
JsonTable json_expr json_path columns alias
XmlTable row_expression passing columns alias
passing arguments
arguments expr alias
OpenJsonTable json_expr json_path columns alias
TableFunction expr alias
Function name parameters args filter over within_group null_treatment lateral alias
Pivot table aggregate_functions value_column value_source default_on_null alias
Unpivot table value name columns null_inclusion alias
aggregate_functions expr alias
columns expr alias
List args clauses duplicate_treatment expr alias
args arg name operator
Named arg name operator expr type path
ExprNamed arg name operator
OrderBy expr options with_fill
Having expr
order_by kind expr options interpolate with_fill
Expressions expr options
options asc nulls_first
within_group expr options
sort_by expr options
clauses Limit
LimitOffset limit offset limit_by
OffsetCommaLimit limit offset
offset value rows
WindowSpec window_name partition_by order_by window_frame
window_frame units start_bound end_bound
AfterTableAlias modifier name quantity seed unit bucket offset
BeforeTableAlias modifier name quantity seed unit bucket offset
quantity value unit parenthesized
seed modifier value
locks lock_type of nonblock
Json for_json root include_null_values without_array_wrapper
Xml for_xml elements binary_base64 root type
ConnectBy relationships nocycle
connect_by condition relationships
StartWith condition
optimizer_hints prefix style text
opt_except first_element additional_elements
opt_replace items
opt_rename items
items as_keyword column_name expr
Wildcard opt_except opt_exclude opt_ilike opt_rename opt_replace
QualifiedWildcard opt_except opt_exclude opt_replace
UnnamedExpr opt_except
opt_ilike pattern
BinaryOp left op right
UnaryOp op expr
Between expr negated low high
InList expr list negated
InSubquery expr subquery negated
InUnnest expr array_expr negated
Exists subquery negated
Like any expr negated pattern escape_char
ILike any expr negated pattern escape_char
SimilarTo expr negated pattern escape_char
RLike expr negated pattern regexp
AnyOp left compare_op right is_some
AllOp left compare_op right
Case operand conditions else_result
conditions condition result
Cast kind expr data_type format array
Convert is_try expr data_type charset target_before_value styles
AtTimeZone timestamp time_zone
Extract field syntax expr
Ceil expr field
Floor expr field
Position expr in
Substring expr substring_from substring_for special shorthand
Trim expr trim_where trim_what trim_characters
Overlay expr overlay_what overlay_from overlay_for
Collate expr collation
Interval value leading_field leading_precision last_field fractional_seconds_precision
TypedString data_type value uses_odbc_syntax
Value value
value value
Separator value
match_value value
One name data_type
Many name data_type
params name data_type
Array elem named
Struct values fields
fields field_name field_type
Dictionary key value
Map entries
entries key value
Lambda params body syntax
MatchAgainst columns match_value opt_search_modifier
MemberOf value array
JsonAccess value path
path path
Bracket key
Dot key
Index index
Slice lower_bound upper_bound stride
CompoundFieldAccess root access_chain
IgnoreOrRespectNulls nulls
ForSystemTimeAsOf expr
`;

/** Members whose strings are names of options, never operators or parts of a query. */
const FREE_WORDS = `clause end_bound start_bound flavor kind style syntax set_quantifier hint_type index_type modifier
  obj_type parent_type describe_alias distinct duplicate_treatment for_json for_xml field leading_field last_field
  lock_type nonblock units rows join_operator compare_op prefix text tag operator Unnamed IgnoreOrRespectNulls
  Expressions Join key charset materialized name trim_where null_treatment null_inclusion opt_search_modifier shorthand
  form escape_char format Assignment nulls OnOverflow JsonNullClause quote_style unit value_table_mode within_group index
  for_clause type path_type Custom DateTimeField opt_ilike pattern SquareBracket
  select_modifiers NullTreatment all Any value binary_base64 Wildcard`;

/** Operators of reads. `Assignment` (MySQL's \`:=\`) is none. */
const READ_OPERATORS = `And Or Xor Not Eq NotEq Lt LtEq Gt GtEq Plus Minus Multiply Divide Modulo StringConcat Spaceship
  BitwiseAnd BitwiseOr BitwiseXor BitwiseNot DuckIntegerDivide MyIntegerDivide Match Regexp Arrow LongArrow HashArrow
  HashLongArrow HashMinus AtArrow ArrowAt AtAt AtQuestion Question QuestionAnd QuestionPipe Overlaps LtDashGt
  PGBitwiseXor PGBitwiseShiftLeft PGBitwiseShiftRight PGExp PGOverlap PGRegexMatch PGRegexIMatch PGRegexNotMatch
  PGRegexNotIMatch PGLikeMatch PGILikeMatch PGNotLikeMatch PGNotILikeMatch PGStartsWith PGSquareRoot PGCubeRoot PGAbs
  BangNot Union Except Intersect Minus`;

/** Operators whose precedence is the same in every dialect: the tree of a WHERE made of these is the server's. */
const SCALAR_OPERATORS = 'And Or Not Eq NotEq Lt LtEq Gt GtEq Plus Minus Multiply Divide Modulo StringConcat';

export interface OtherShapes {
  variants: ReadonlySet<string>;
  /** `holder/member`. */
  members: ReadonlySet<string>;
  freeWords: ReadonlySet<string>;
  operators: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

function pairs(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const line of text.trim().split('\n')) {
    const [holder = '', ...members] = line.trim().split(' ');
    for (const member of members) found.add(`${holder}/${member}`);
  }
  return found;
}

/** Shapes of a query. */
export function otherReadShapes(): OtherShapes {
  return {
    variants: words(READ_VARIANTS),
    members: pairs(MEMBERS),
    freeWords: words(FREE_WORDS),
    operators: words(READ_OPERATORS),
  };
}

/** Shapes of the expressions in INSERT, UPDATE and DELETE. */
export function otherScalarShapes(): OtherShapes {
  return {
    variants: words(SCALAR_VARIANTS),
    members: pairs(MEMBERS),
    freeWords: words(FREE_WORDS),
    operators: words(SCALAR_OPERATORS),
  };
}
