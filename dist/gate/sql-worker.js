import*as __WEBPACK_EXTERNAL_MODULE__guanmingchiu_sqlparser_ts_40024fbb__ from"@guanmingchiu/sqlparser-ts";import*as __WEBPACK_EXTERNAL_MODULE_libpg_query_2d3e7a5f__ from"libpg-query";import{createRequire as __WEBPACK_EXTERNAL_createRequire}from"module";var __webpack_modules__={245:((module,__unused_webpack_exports,__nccwpck_require__)=>{var x=y=>{var x={};__nccwpck_require__.d(x,y);return x};var y=x=>(()=>x);module.exports=x({["Parser"]:()=>__WEBPACK_EXTERNAL_MODULE__guanmingchiu_sqlparser_ts_40024fbb__.Parser,["init"]:()=>__WEBPACK_EXTERNAL_MODULE__guanmingchiu_sqlparser_ts_40024fbb__.init})}),961:(module=>{module.exports=__WEBPACK_EXTERNAL_MODULE_libpg_query_2d3e7a5f__})};var __webpack_module_cache__={};function __nccwpck_require__(moduleId){var cachedModule=__webpack_module_cache__[moduleId];if(cachedModule!==undefined){return cachedModule.exports}var module=__webpack_module_cache__[moduleId]={exports:{}};var threw=true;try{__webpack_modules__[moduleId](module,module.exports,__nccwpck_require__);threw=false}finally{if(threw)delete __webpack_module_cache__[moduleId]}return module.exports}if(typeof __nccwpck_require__!==`undefined`)__nccwpck_require__.ab=decodeURIComponent(new URL(`.`,import.meta.url).pathname).slice(import.meta.url.match(/^file:\/\/\/\w:/)?1:0,-1)+`/`;(()=>{__nccwpck_require__.d=(exports,definition)=>{for(var key in definition){if(__nccwpck_require__.o(definition,key)&&!__nccwpck_require__.o(exports,key)){Object.defineProperty(exports,key,{enumerable:true,get:definition[key]})}}}})();(()=>{__nccwpck_require__.o=(obj,prop)=>Object.prototype.hasOwnProperty.call(obj,prop)})();var __webpack_exports__={};;const external_node_worker_threads_namespaceObject=__WEBPACK_EXTERNAL_createRequire(import.meta.url)(`node:worker_threads`);;class AgentGateError extends Error{code;place;constructor(code,message,place={},options){super(message,options);this.name=`AgentGateError`;this.code=code;this.place=place}}function messageOf(error){return error instanceof Error?error.message:String(error)}function isSystemError(error){return error instanceof Error&&`code`in error&&typeof error.code===`string`&&`errno`in error}function placed(message,place){const{file,line,column}=place;if(file===undefined||line===undefined&&message.includes(file))return{place:``,rest:message};const where=[file,line,line===undefined?undefined:column].filter(part=>part!==undefined);const rest=message.startsWith(`${file} `)?message.slice(file.length):`: ${message}`;return{place:where.join(`:`),rest}};const TEXT=`
  ascii bit_length btrim char_length character_length chr concat concat_ws convert convert_from convert_to
  decode encode format initcap left length like_escape lower lpad ltrim md5 normalize is_normalized octet_length
  overlay parse_ident position quote_ident quote_literal quote_nullable regexp_count regexp_instr regexp_like
  regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr repeat
  replace reverse right rpad rtrim sha224 sha256 sha384 sha512 split_part starts_with string_to_array
  string_to_table strpos substr substring to_ascii to_hex to_bin to_oct translate trim trim_array unistr upper
  casefold crc32 crc32c bit_count get_bit get_byte set_bit set_byte similar_escape similar_to_escape textlen
  unaccent similarity word_similarity strict_word_similarity show_trgm levenshtein levenshtein_less_equal soundex
  difference metaphone dmetaphone dmetaphone_alt pg_client_encoding to_char to_number`;const NUMBERS=`
  abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh cbrt ceil ceiling cos cosd cosh cot cotd
  degrees div erf erfc exp factorial floor gamma lgamma gcd lcm ln log log10 min_scale mod pi pow power radians
  random random_normal round scale sign sin sind sinh sqrt tan tand tanh trim_scale trunc width_bucket
  num_nonnulls num_nulls numeric_inc int4inc int8inc`;const TYPES_AS_FUNCTIONS=`
  bool int2 int4 int8 float4 float8 numeric money text varchar bpchar char name bytea date time timetz timestamp
  timestamptz interval uuid json jsonb xml bit varbit inet cidr macaddr macaddr8 point box circle line lseg path
  polygon oid regclass int4range int8range numrange tsrange tstzrange daterange int4multirange int8multirange
  nummultirange tsmultirange tstzmultirange datemultirange multirange`;const TIME=`
  age clock_timestamp date_add date_bin date_part date_subtract date_trunc extract isfinite justify_days
  justify_hours justify_interval make_date make_interval make_time make_timestamp make_timestamptz now overlaps
  statement_timestamp timeofday timezone to_date to_timestamp transaction_timestamp`;const JSON_FUNCTIONS=`
  array_to_json row_to_json to_json to_jsonb json_build_array json_build_object json_object json_array_elements
  json_array_elements_text json_array_length json_each json_each_text json_extract_path json_extract_path_text
  json_object_keys json_populate_record json_populate_recordset json_strip_nulls json_to_record json_to_recordset
  json_typeof jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
  jsonb_build_object jsonb_contains jsonb_each jsonb_each_text jsonb_exists jsonb_exists_all jsonb_exists_any
  jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists
  jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query jsonb_path_query_array
  jsonb_path_query_array_tz jsonb_path_query_first jsonb_path_query_first_tz jsonb_path_query_tz
  jsonb_populate_record jsonb_populate_record_valid jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_set_lax
  jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof json_scalar json_serialize`;const ARRAYS_RANGES=`
  array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions
  array_prepend array_remove array_replace array_reverse array_sample array_shuffle array_sort array_to_string
  array_upper cardinality unnest generate_series generate_subscripts isempty lower_inc lower_inf upper_inc
  upper_inf range_merge range_contains_elem elem_contained_by_range enum_first enum_last enum_range`;const AGGREGATES=`
  any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp cume_dist
  dense_rank every first_value grouping json_agg json_agg_strict json_object_agg json_object_agg_strict
  json_object_agg_unique json_object_agg_unique_strict jsonb_agg jsonb_agg_strict jsonb_object_agg
  jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict lag last_value lead max min mode
  nth_value ntile percent_rank percentile_cont percentile_disc range_agg range_intersect_agg rank regr_avgx
  regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy row_number stddev stddev_pop
  stddev_samp string_agg sum var_pop var_samp variance xmlagg`;const SEARCH_XML_NET=`
  array_to_tsvector get_current_ts_config numnode phraseto_tsquery plainto_tsquery querytree setweight strip
  json_to_tsvector jsonb_to_tsvector to_tsquery to_tsvector ts_debug ts_delete ts_filter ts_headline ts_lexize
  ts_parse ts_rank ts_rank_cd ts_token_type tsquery_phrase tsvector_to_array websearch_to_tsquery
  xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xmlcomment xmlconcat xmlexists xmltext
  xpath xpath_exists abbrev broadcast family host hostmask inet_merge inet_same_family masklen netmask network
  set_masklen trunc macaddr8_set7bit area center diagonal diameter height isclosed isopen npoints pclose popen
  radius slope width bound_box ishorizontal isvertical isparallel isperp gen_random_uuid uuidv4 uuidv7
  uuid_extract_timestamp uuid_extract_version uuid_generate_v1 uuid_generate_v4 digest hmac`;const CATALOG=`
  version current_database current_catalog current_schema current_schemas current_setting current_user session_user
  user current_query inet_client_addr inet_client_port inet_server_addr inet_server_port pg_backend_pid
  pg_blocking_pids pg_safe_snapshot_blocking_pids pg_conf_load_time pg_postmaster_start_time pg_trigger_depth
  pg_is_in_recovery pg_is_wal_replay_paused pg_last_wal_receive_lsn pg_last_wal_replay_lsn
  pg_last_xact_replay_timestamp pg_current_wal_lsn pg_current_wal_insert_lsn pg_current_wal_flush_lsn
  pg_wal_lsn_diff pg_walfile_name pg_my_temp_schema pg_is_other_temp_schema pg_jit_available
  pg_notification_queue_usage pg_listening_channels row_security_active icu_unicode_version unicode_version
  col_description obj_description shobj_description format_type pg_typeof pg_basetype pg_column_size
  pg_column_compression pg_column_is_updatable pg_relation_is_updatable pg_database_size pg_indexes_size
  pg_relation_size pg_size_bytes pg_size_pretty pg_table_size pg_tablespace_size pg_total_relation_size
  pg_char_to_encoding pg_encoding_to_char pg_encoding_max_length getdatabaseencoding pg_collation_for
  pg_collation_actual_version pg_get_acl pg_get_catalog_foreign_keys pg_get_constraintdef pg_get_expr
  pg_get_function_arg_default pg_get_function_arguments pg_get_function_identity_arguments pg_get_function_result
  pg_get_function_sqlbody pg_get_functiondef pg_get_indexdef pg_get_keywords pg_get_object_address
  pg_get_partition_constraintdef pg_get_partition_hash pg_get_partkeydef pg_get_replica_identity_index
  pg_get_ruledef pg_get_serial_sequence pg_get_statisticsobjdef pg_get_statisticsobjdef_columns
  pg_get_statisticsobjdef_expressions pg_get_triggerdef pg_get_userbyid pg_get_viewdef pg_describe_object
  pg_identify_object pg_identify_object_as_address pg_index_column_has_property pg_index_has_property
  pg_indexam_has_property pg_collation_is_visible pg_conversion_is_visible pg_function_is_visible
  pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible pg_statistics_obj_is_visible
  pg_table_is_visible pg_ts_config_is_visible pg_ts_dict_is_visible pg_ts_parser_is_visible
  pg_ts_template_is_visible pg_type_is_visible pg_options_to_table pg_partition_ancestors pg_partition_root
  pg_partition_tree pg_sequence_last_value pg_sequence_parameters pg_settings_get_flags pg_tablespace_databases
  pg_tablespace_location pg_timezone_abbrevs pg_timezone_names pg_available_extensions
  pg_available_extension_versions pg_has_role pg_input_is_valid pg_input_error_info has_any_column_privilege
  has_column_privilege has_database_privilege has_foreign_data_wrapper_privilege has_function_privilege
  has_language_privilege has_largeobject_privilege has_parameter_privilege has_schema_privilege
  has_sequence_privilege has_server_privilege has_table_privilege has_tablespace_privilege has_type_privilege
  to_regclass to_regcollation to_regnamespace to_regoper to_regoperator to_regproc to_regprocedure to_regrole
  to_regtype to_regtypemod acldefault aclexplode makeaclitem mxid_age pg_current_snapshot
  pg_current_xact_id_if_assigned pg_snapshot_xip pg_snapshot_xmax pg_snapshot_xmin pg_visible_in_snapshot
  pg_xact_commit_timestamp pg_xact_status txid_current_if_assigned txid_current_snapshot txid_snapshot_xip
  txid_snapshot_xmax txid_snapshot_xmin txid_status txid_visible_in_snapshot currval lastval oidvectortypes
  pg_get_wal_replay_pause_state pg_relation_filenode _pg_expandarray`;const GEOMETRY=`
  st_area st_asbinary st_asewkt st_asgeojson st_asmvtgeom st_astext st_azimuth st_buffer st_centroid
  st_closestpoint st_clusterdbscan st_collect st_contains st_convexhull st_covers st_coveredby st_crosses
  st_difference st_disjoint st_distance st_distancesphere st_dwithin st_endpoint st_envelope st_equals st_extent
  st_geogfromtext st_geohash st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb
  st_intersection st_intersects st_isempty st_isvalid st_length st_linestring st_makebox2d st_makeenvelope
  st_makeline st_makepoint st_makevalid st_numgeometries st_npoints st_overlaps st_perimeter st_point
  st_pointonsurface st_setsrid st_simplify st_snaptogrid st_srid st_startpoint st_subdivide st_touches
  st_transform st_union st_within st_x st_xmax st_xmin st_y st_ymax st_ymin st_z`;const words=(...lists)=>new Set(lists.join(` `).trim().split(/\s+/));function pgReadFunctions(){return words(TEXT,NUMBERS,TYPES_AS_FUNCTIONS,TIME,JSON_FUNCTIONS,ARRAYS_RANGES,AGGREGATES,SEARCH_XML_NET,CATALOG,GEOMETRY)}function pgSetFunctions(){return words(`unnest generate_series generate_subscripts regexp_matches regexp_split_to_table string_to_table
    json_array_elements json_array_elements_text json_each json_each_text json_object_keys json_populate_recordset
    json_to_recordset jsonb_array_elements jsonb_array_elements_text jsonb_each jsonb_each_text jsonb_object_keys
    jsonb_path_query jsonb_path_query_tz jsonb_populate_recordset jsonb_to_recordset ts_parse ts_token_type ts_debug
    pg_get_keywords pg_options_to_table pg_partition_tree pg_partition_ancestors aclexplode
    pg_timezone_names pg_timezone_abbrevs pg_listening_channels pg_tablespace_databases pg_available_extensions
    pg_available_extension_versions pg_get_catalog_foreign_keys pg_snapshot_xip txid_snapshot_xip _pg_expandarray
    st_subdivide`)}function pgFieldNames(){return words(`key value n x word ndoc nentry lexeme positions weights ordinality ordinal row_number
    relid parentrelid isleaf level grantor grantee privilege_type is_grantable option_name option_value
    tokid token catcode dictionaries f1 f2 f3 f4 f5 f6 f7 f8 f9 id name`)}function pgTypes(){return words(TYPES_AS_FUNCTIONS,`boolean integer smallint bigint real decimal string serial xid xid8 cid tid oidvector int2vector regproc regprocedure
    regoper regoperator regcollation regtype regrole regnamespace regconfig regdictionary pg_lsn pg_snapshot
    txid_snapshot tsvector tsquery jsonpath record unknown aclitem bool float refcursor pg_node_tree
    citext hstore ltree lquery ltxtquery vector halfvec sparsevec geometry geography box2d box3d
    sql_identifier cardinal_number character_data yes_or_no time_stamp`)}function pgOperators(){return words(`-> = *= - ^@ !~~* ~>~ <> <<| *<> | |>> ? < && ?& @@ <<= & *<= !~~ ~= #> || |&> ->> ?|| <^ -|- @> * <<
    ~<=~ >> ~ ## *> ?# ~* &> ^ ?-| % !~ #- # ?| ||/ ?- *>= >^ @@@ ~<~ !~* |/ ~>=~ > >>= &< !! >= &<| <@ <-> / <= +
    *< @-@ @ ~~* #>> ~~ @? != <% %> <<% %>> <<-> <->> <<<-> <->>> <#> <=> <+> <~> <%> ~== &&& |=| ?@> ?<@ ?~ @`)}function pgSecretRelations(){return words(`pg_authid pg_shadow pg_user_mapping pg_user_mappings pg_hba_file_rules pg_ident_file_mappings
    pg_file_settings pg_largeobject pg_subscription pg_statistic`)}function pgSystemColumns(){return words(`tableoid xmin xmax cmin cmax ctid`)}const PG_FUNCTION_LIKE=/^(pg_|lo_|dblink|txid_|binary_upgrade_|query_to_|table_to_|cursor_to_|schema_to_|database_to_|ts_stat$|ts_rewrite$|currtid|loread$|lowrite$|nextval$|setval$|set_config$|setseed$|xslt_|crosstab|connectby|http)/;;const READ=`
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
JsonFormat format_type encoding`;const SCALAR=`
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
SetToDefault`;function table(text){const shapes=new Map;for(const line of text.trim().split(`
`)){const[type=``,...fields]=line.trim().split(` `);shapes.set(type,new Map(fields.map(field=>{const[name=``,inline=``]=field.split(`:`);return[name,inline]})))}return shapes}function pgReadShapes(){return table(`${READ.trim()}\n${SCALAR.trim()}`)}function pgScalarShapes(){return table(`${SCALAR.trim()}\nCollateClause arg collname`)};function isNode(tree){return typeof tree===`object`&&tree!==null&&!Array.isArray(tree)}function member(tree,key){return isNode(tree)&&Object.hasOwn(tree,key)?tree[key]:undefined}function nodeAt(tree,key){const found=member(tree,key);return isNode(found)?found:undefined}function listAt(tree,key){const found=member(tree,key);return Array.isArray(found)?found:[]}function textAt(tree,key){const found=member(tree,key);return typeof found===`string`?found:undefined}function tagged(tree){if(!isNode(tree))return undefined;const entries=Object.entries(tree);return entries.length===1?entries[0]:undefined}function someIn(tree,test){if(Array.isArray(tree))return tree.some(item=>someIn(item,test));if(!isNode(tree))return false;return test(tree)||Object.values(tree).some(item=>someIn(item,test))}function plainTree(tree){if(Array.isArray(tree))return tree.map(plainTree);if(typeof tree===`string`||typeof tree===`boolean`||typeof tree===`number`)return tree;if(typeof tree===`bigint`)return String(tree);if(typeof tree!==`object`||tree===null)return null;const kept=[];for(const[key,value]of Object.entries(tree)){if(key===`location`||key.endsWith(`_location`)||key===`span`||key.endsWith(`_token`))continue;kept.push([key,plainTree(value)])}return Object.fromEntries(kept)};function pgLists(){return{read:pgReadShapes(),scalar:pgScalarShapes(),functions:pgReadFunctions(),setFunctions:pgSetFunctions(),fieldNames:pgFieldNames(),types:pgTypes(),operators:pgOperators(),secret:pgSecretRelations()}}function strings(list){return list.map(item=>textAt(nodeAt(item,`String`),`sval`))}function builtInName(list,schemas=[`pg_catalog`]){const names=strings(list);if(names.length===1)return names[0];const schema=names[0];return names.length===2&&schema!==undefined&&schemas.includes(schema)?names[1]:undefined}const shown=list=>strings(list).join(`.`);class PgWalk{concerns=[];locks=false;#lists;#scalar;#functionAliases=new Map;constructor(lists,scalar){this.#lists=lists;this.#scalar=scalar}visit(tree){if(Array.isArray(tree)){for(const item of tree)this.visit(item);return}if(!isNode(tree))return;for(const[type,node]of Object.entries(tree))this.node(type,node)}node(type,node){const shapes=this.#scalar?this.#lists.scalar:this.#lists.read;const shape=shapes.get(type);if(!shape||!isNode(node)){this.#hold(`E_SQL_SHAPE`,`${type} is not a part of a known read`);return}this.#check(type,node);for(const[field,value]of Object.entries(node)){const inline=shape.get(field);if(inline===undefined)this.#hold(`E_SQL_SHAPE`,`${type}.${field} is not a part of a known read`);else if(inline)this.node(inline,value);else this.visit(value)}}noteFunctions(tree){if(Array.isArray(tree)){for(const item of tree)this.noteFunctions(item);return}if(!isNode(tree))return;const inFrom=nodeAt(tree,`RangeFunction`);if(inFrom)this.#noteFunction(inFrom);for(const value of Object.values(tree))this.noteFunctions(value)}#noteFunction(node){const columns=new Set;const alias=nodeAt(node,`alias`);const names=[textAt(alias,`aliasname`)];for(const name of strings(listAt(alias,`colnames`)))if(name)columns.add(name);for(const column of listAt(node,`coldeflist`)){const name=textAt(nodeAt(column,`ColumnDef`),`colname`);if(name)columns.add(name)}for(const item of listAt(node,`functions`)){const call=nodeAt(listAt(nodeAt(item,`List`),`items`)[0],`FuncCall`);names.push(strings(listAt(call,`funcname`)).at(-1))}for(const name of names){if(!name)continue;const before=this.#functionAliases.get(name);const kept=before?[...columns].filter(column=>before.has(column)):columns;this.#functionAliases.set(name,new Set(kept).add(name))}}#hold(code,text){this.concerns.push({code,text})}#check(type,node){if(type===`FuncCall`)this.#function(node);else if(type===`TypeName`)this.#type(node);else if(type===`A_Expr`)this.#operator(listAt(node,`name`));else if(type===`SubLink`)this.#operator(listAt(node,`operName`));else if(type===`ColumnRef`)this.#column(listAt(node,`fields`));else if(type===`A_Indirection`)this.#attributes(listAt(node,`indirection`));else if(type===`RangeVar`)this.#relation(node);else if(type===`CommonTableExpr`)this.#commonTable(node);else if(type===`RangeTableSample`)this.#sample(listAt(node,`method`));else if(type===`LockingClause`)this.locks=true}#commonTable(node){const kind=tagged(member(node,`ctequery`))?.[0]??`something else`;if(kind!==`SelectStmt`)this.#hold(`E_SQL_SHAPE`,`WITH holds ${kind}, not a query`)}#sample(method){if(![`system`,`bernoulli`].includes(builtInName(method)??``)){this.#hold(`E_SQL_FUNCTION`,`the sampling method ${shown(method)} is not known`)}}#function(node){const parts=listAt(node,`funcname`);const name=builtInName(parts,[`pg_catalog`,`information_schema`]);const known=name!==undefined&&(this.#lists.functions.has(name)||name.startsWith(`pg_stat_get_`));if(!known){this.#hold(`E_SQL_FUNCTION`,`the function ${shown(parts)} is not known to only read`)}else if(this.#scalar&&this.#lists.setFunctions.has(name)){this.#hold(`E_SQL_FUNCTION`,`the function ${name} gives any number of rows`)}}#type(node){const parts=listAt(node,`names`);const name=builtInName(parts,[`pg_catalog`,`information_schema`,`public`]);if(name===undefined||!this.#lists.types.has(name)){this.#hold(`E_SQL_FUNCTION`,`the type ${shown(parts)} is not a built-in one, and a cast to it may run code`)}}#operator(parts){if(parts.length===0)return;const name=builtInName(parts);if(name===undefined||!this.#lists.operators.has(name.toLowerCase())){if(name!==undefined&&[`BETWEEN`,`NOT BETWEEN`,`BETWEEN SYMMETRIC`,`NOT BETWEEN SYMMETRIC`].includes(name))return;this.#hold(`E_SQL_FUNCTION`,`the operator ${shown(parts)} is not a known one`)}}#column(fields){if(fields.length<2)return;const names=strings(fields);const last=names.at(-1);if(last===undefined||this.#lists.functions.has(last))return;if(PG_FUNCTION_LIKE.test(last)){this.#hold(`E_SQL_FUNCTION`,`${names.join(`.`)} may be a call of the function ${last}`);return}const columns=this.#functionAliases.get(names.at(-2)??``);if(columns&&!columns.has(last)&&!this.#lists.fieldNames.has(last)){this.#hold(`E_SQL_FUNCTION`,`${names.join(`.`)} may be a call of the function ${last}`)}}#attributes(parts){for(const part of parts){const name=textAt(nodeAt(part,`String`),`sval`);if(name===undefined||this.#lists.functions.has(name)||this.#lists.fieldNames.has(name))continue;this.#hold(`E_SQL_FUNCTION`,`(…).${name} may be a call of the function ${name}`)}}#relation(node){const name=textAt(node,`relname`)??``;const schema=textAt(node,`schemaname`);if(this.#lists.secret.has(name)&&(schema===undefined||schema===`pg_catalog`)){this.#hold(`E_SQL_SHAPE`,`${name} shows what the server keeps secret`)}}};function columnOf(tree,target){const names=strings(listAt(nodeAt(tree,`ColumnRef`),`fields`));const last=names.at(-1);if(last===undefined||names.length>3||pgSystemColumns().has(last))return undefined;if(names.length>1&&!target.names.includes(names.at(-2)??``))return undefined;if(names.length===1&&target.names.includes(last))return undefined;return!target.keys||target.keys.includes(last.toLowerCase())?last:undefined}function isConstant(tree){const[type,node]=tagged(tree)??[];if(type===`ParamRef`)return true;if(type===`A_Const`){const text=textAt(nodeAt(node,`sval`),`sval`);if(text!==undefined&&/^\s*(t|f|true|false)\s*$/i.test(text))return false;return[`ival`,`fval`,`sval`,`bsval`].some(key=>member(node,key)!==undefined)}if(type===`TypeCast`){const name=strings(listAt(nodeAt(node,`typeName`),`names`)).at(-1);return name!==`bool`&&name!==`boolean`&&isConstant(member(node,`arg`))}return false}function isEquals(node){const name=strings(listAt(node,`name`));return name.length===1&&name[0]===`=`}function pgBounded(tree,target){const[type,node]=tagged(tree)??[];if(node===undefined)return false;if(type===`BoolExpr`){const args=listAt(node,`args`);const op=textAt(node,`boolop`);if(op===`AND_EXPR`)return args.some(arg=>pgBounded(arg,target));if(op===`OR_EXPR`)return args.length>0&&args.every(arg=>pgBounded(arg,target));return false}if(type!==`A_Expr`||!isEquals(node))return false;const left=member(node,`lexpr`);const right=member(node,`rexpr`);switch(textAt(node,`kind`)){case`AEXPR_OP`:return columnOf(left,target)!==undefined&&isConstant(right)||columnOf(right,target)!==undefined&&isConstant(left);case`AEXPR_IN`:{const items=listAt(nodeAt(right,`List`),`items`);return columnOf(left,target)!==undefined&&items.length>0&&items.every(isConstant)}case`AEXPR_OP_ANY`:{const items=listAt(nodeAt(right,`A_ArrayExpr`),`elements`);return columnOf(left,target)!==undefined&&items.length>0&&items.every(isConstant)}default:return false}}const hasColumn=tree=>someIn(tree,node=>Object.hasOwn(node,`ColumnRef`)||Object.hasOwn(node,`ParamRef`));function pgTautology(tree){const[type,node]=tagged(tree)??[];if(type===undefined||node===undefined)return undefined;if(!hasColumn(tree))return`a branch of WHERE does not depend on the row`;if(type===`BoolExpr`&&textAt(node,`boolop`)===`OR_EXPR`){const args=listAt(node,`args`);const tests=args.map(arg=>nodeAt(arg,`NullTest`)).filter(test=>test!==undefined);const kinds=new Set(tests.map(test=>textAt(test,`nulltesttype`)));if(kinds.size>1)return`WHERE takes a column that is NULL and one that is not`;for(const arg of args){const found=pgTautology(arg);if(found)return found}return undefined}if(type===`BoolExpr`){const found=listAt(node,`args`).map(pgTautology);return found.every(item=>item!==undefined)?found[0]:undefined}if(type===`A_Expr`){const left=JSON.stringify(plainTree(member(node,`lexpr`)??null));const right=JSON.stringify(plainTree(member(node,`rexpr`)??null));if(left===right)return`WHERE compares a column with itself`;const pattern=textAt(nodeAt(nodeAt(member(node,`rexpr`),`A_Const`),`sval`),`sval`);if(/LIKE/.test(textAt(node,`kind`)??``)&&pattern!==undefined&&/^%+$/.test(pattern)){return`LIKE takes any text`}}return undefined};const INDIRECT=new Map([[`CallStmt`,`CALL runs a procedure`],[`DoStmt`,`DO runs a program`],[`PrepareStmt`,`PREPARE keeps a statement for later`],[`ExecuteStmt`,`EXECUTE runs a statement that is not in the text`],[`DeclareCursorStmt`,`DECLARE keeps a query for later`],[`FetchStmt`,`FETCH reads a query that is not in the text`]]);const EXPLAIN_OPTIONS=new Set(`analyze verbose costs settings generic_plan buffers serialize wal timing summary memory format`.split(` `));function judgePostgres(parsed,lists,keys){const statements=listAt(parsed,`stmts`).map(item=>nodeAt(item,`stmt`));if(statements.length>1){return held({code:`E_SQL_MULTI`,text:`the text holds ${statements.length} statements`})}const[type,node]=tagged(statements[0])??[];if(type===undefined||!isNode(node)){return held({code:`E_SQL_UNPARSED`,text:`the text holds no statement`})}return judgeStatement(type,node,lists,keys)}const held=(...concerns)=>({tier:0,concerns});function judgeStatement(type,node,lists,keys){switch(type){case`SelectStmt`:{const walk=new PgWalk(lists,false);walk.noteFunctions(node);walk.node(type,node);return{tier:walk.locks?1:0,concerns:walk.concerns}}case`VariableShowStmt`:return{tier:0,concerns:[]};case`ExplainStmt`:return judgeExplain(node,lists,keys);case`InsertStmt`:return judgeInsert(node,lists);case`UpdateStmt`:case`DeleteStmt`:return judgeChange(type,node,lists,keys)}const indirect=INDIRECT.get(type);if(indirect)return held({code:`E_SQL_INDIRECT`,text:indirect});return held({code:`E_SQL_SHAPE`,text:`${type.replace(/Stmt$/,``)} is neither a read nor bounded DML`})}function judgeExplain(node,lists,keys){const[type,query]=tagged(member(node,`query`))??[];if(type===undefined||!isNode(query)||type===`ExplainStmt`){return held({code:`E_SQL_SHAPE`,text:`EXPLAIN of something unknown`})}const judgement=judgeStatement(type,query,lists,keys);for(const option of listAt(node,`options`)){const name=textAt(nodeAt(option,`DefElem`),`defname`)??``;if(!EXPLAIN_OPTIONS.has(name)){judgement.concerns.push({code:`E_SQL_SHAPE`,text:`EXPLAIN has the unknown option ${name}`})}}return judgement}function dmlWalk(type,node,known,lists){const walk=new PgWalk(lists,true);for(const field of Object.keys(node)){if(!known.includes(field)){walk.concerns.push({code:`E_SQL_SHAPE`,text:`${type.replace(/Stmt$/,``)} with ${field}`})}}const relation=nodeAt(node,`relation`);const name=textAt(relation,`relname`)??``;const schema=textAt(relation,`schemaname`)??``;if(name.startsWith(`pg_`)||schema.startsWith(`pg_`)||schema===`information_schema`){walk.concerns.push({code:`E_SQL_SHAPE`,text:`${name} belongs to the server`})}const returning=member(node,`returningClause`);for(const item of listAt(returning,`exprs`)){const value=member(nodeAt(item,`ResTarget`),`val`);const fields=listAt(nodeAt(value,`ColumnRef`),`fields`);if(fields.length===0){walk.concerns.push({code:`E_SQL_SHAPE`,text:`RETURNING holds more than columns`})}walk.visit(value)}return walk}function judgeInsert(node,lists){const walk=dmlWalk(`InsertStmt`,node,[`relation`,`cols`,`selectStmt`,`returningClause`,`override`],lists);for(const column of listAt(node,`cols`)){const target=nodeAt(column,`ResTarget`);if(!target||Object.keys(target).some(key=>key!==`name`&&key!==`location`)){walk.concerns.push({code:`E_SQL_SHAPE`,text:`INSERT writes a part of a column`})}}const source=nodeAt(member(node,`selectStmt`),`SelectStmt`);if(source){const rows=listAt(source,`valuesLists`);const known=[`valuesLists`,`limitOption`,`op`];if(rows.length===0||Object.keys(source).some(key=>!known.includes(key))){walk.concerns.push({code:`E_SQL_UNBOUNDED`,text:`INSERT takes its rows from a query`})}else{walk.visit(rows)}}else if(member(node,`selectStmt`)!==undefined){walk.concerns.push({code:`E_SQL_SHAPE`,text:`INSERT of something unknown`})}return{tier:1,concerns:walk.concerns}}function judgeChange(type,node,lists,keys){const verb=type===`UpdateStmt`?`UPDATE`:`DELETE`;const walk=dmlWalk(type,node,[`relation`,`whereClause`,`returningClause`,...type===`UpdateStmt`?[`targetList`]:[]],lists);const relation=nodeAt(node,`relation`);const table=textAt(relation,`relname`)??``;const schema=textAt(relation,`schemaname`);const alias=textAt(nodeAt(relation,`alias`),`aliasname`);for(const item of listAt(node,`targetList`)){const target=nodeAt(item,`ResTarget`);for(const key of Object.keys(target??{})){if(![`name`,`val`,`location`,`indirection`].includes(key)){walk.concerns.push({code:`E_SQL_SHAPE`,text:`SET with ${key}`})}}const parts=listAt(target,`indirection`);walk.visit(parts.filter(part=>strings([part])[0]===undefined));walk.visit(member(target,`val`))}if(member(node,`usingClause`)!==undefined||member(node,`fromClause`)!==undefined){walk.concerns.push({code:`E_SQL_UNBOUNDED`,text:`${verb} joins another table`})}const where=member(node,`whereClause`);if(where===undefined){walk.concerns.push({code:`E_SQL_UNBOUNDED`,text:`${verb} has no WHERE`});return{tier:1,concerns:walk.concerns}}const target={names:alias?[alias]:[table],keys:keys&&keyColumns(keys,table,schema)};if(!pgBounded(where,target)){const tautology=pgTautology(where);if(tautology)walk.concerns.push({code:`E_SQL_TAUTOLOGY`,text:tautology});walk.concerns.push({code:`E_SQL_UNBOUNDED`,text:`${verb}: not every branch of WHERE has ${keys?`a key column`:`a column`} = constant`})}walk.visit(where);return{tier:1,concerns:walk.concerns}}function keyColumns(keys,table,schema){const name=table.toLowerCase();return(schema?keys.get(`${schema.toLowerCase()}.${name}`):undefined)??keys.get(name)??[]};const COMMON=`
  abs acos asin atan atan2 avg ceil ceiling char_length character_length coalesce concat concat_ws corr cos cot count
  covar_pop covar_samp cume_dist current_date current_time current_timestamp current_user session_user degrees
  dense_rank exp first_value floor greatest grouping if ifnull initcap instr lag last_value lead least left length ln
  localtime localtimestamp log log10 log2 lower lpad ltrim max md5 median min mod nth_value ntile nullif octet_length
  percent_rank percentile_cont percentile_disc pi position pow power radians rank regexp_count regexp_instr regexp_like
  regexp_replace regexp_substr repeat replace reverse right round row_number rpad rtrim sign sin sqrt stddev stddev_pop
  stddev_samp substr substring sum tan translate trim trunc truncate upper user var_pop var_samp variance version
  ascii chr date extract any_value string_agg array_agg json_value json_query json_exists json_object json_array
  json_arrayagg json_objectagg regr_slope regr_intercept regr_r2 regr_count every bool_and bool_or bit_and bit_or bit_xor
  last_day add_months nvl nvl2 cast hour minute second day month year quarter week dayofweek dayofyear now mode
  split_part to_char to_date to_timestamp to_number soundex sha1 sha256 sha512 date_trunc date_part age tanh sinh cosh`;const MYSQL=`
  adddate addtime aes_decrypt aes_encrypt bin bit_count bit_length char charset coercibility collation compress
  connection_id conv convert_tz crc32 curdate current_role curtime database date_add date_format date_sub datediff
  dayname dayofmonth default elt export_set extractvalue field find_in_set format format_bytes found_rows from_base64
  from_days from_unixtime get_format group_concat hex inet6_aton inet6_ntoa inet_aton inet_ntoa insert interval is_ipv4
  is_ipv6 is_uuid isnull json_array_append json_array_insert json_contains json_contains_path json_depth json_extract
  json_insert json_keys json_length json_merge_patch json_merge_preserve json_overlaps json_pretty json_quote json_remove
  json_replace json_schema_valid json_search json_set json_storage_size json_type json_unquote json_valid last_insert_id
  lcase locate make_set makedate maketime microsecond mid monthname oct ord period_add period_diff quote rand
  row_count schema sec_to_time sha sha2 space st_area st_asgeojson st_astext st_contains st_distance st_distance_sphere
  st_geomfromtext st_intersects st_within st_x st_y point std str_to_date strcmp subdate substring_index subtime
  system_user sysdate time time_format time_to_sec timediff timestamp timestampadd timestampdiff to_base64 to_days
  to_seconds ucase uncompress unhex unix_timestamp utc_date utc_time utc_timestamp uuid uuid_to_bin bin_to_uuid values
  weekday weekofyear weight_string yearweek json_table`;const SQLITE=`
  bm25 changes char date datetime format glob group_concat hex highlight iif instr json json_array_length json_each
  json_error_position json_extract json_group_array json_group_object json_insert json_patch json_pretty json_quote
  json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_array jsonb_extract jsonb_object julianday
  last_insert_rowid like likelihood likely unlikely printf quote random randomblob snippet sqlite_compileoption_get
  sqlite_compileoption_used sqlite_source_id sqlite_version strftime time timediff total total_changes typeof unhex
  unicode unixepoch zeroblob octet_length matchinfo offsets`;const MSSQL=`
  app_name approx_count_distinct binary_checksum cast char charindex checksum checksum_agg choose collationproperty
  col_length col_name columnproperty concat_ws connectionproperty convert count_big current_timezone cursor_status
  databasepropertyex datalength date_bucket dateadd datediff datediff_big datefromparts datename datepart datetime2fromparts
  datetimefromparts datetrunc day db_id db_name difference eomonth error_message error_number format formatmessage
  fulltextcatalogproperty generate_series getansinull getdate getutcdate grouping_id has_dbaccess has_perms_by_name
  hashbytes host_id host_name ident_current ident_incr ident_seed iif index_col indexproperty is_member is_rolemember
  is_srvrolemember isdate isjson isnull isnumeric json_modify json_path_exists len log nchar newid newsequentialid
  object_definition object_id object_name object_schema_name objectproperty objectpropertyex openjson original_login
  parse parsename patindex permissions rollup cube quotename rand replicate rowcount_big schema_id schema_name scope_identity
  serverproperty session_id sessionproperty smalldatetimefromparts space square stats_date stdev stdevp str
  string_escape string_split stuff suser_id suser_name suser_sname switchoffset sysdatetime sysdatetimeoffset sysutcdatetime
  system_user textptr timefromparts todatetimeoffset trigger_nestlevel try_cast try_convert try_parse type_id
  type_name typeproperty unicode user_id user_name var varp xact_state atn2 cot datetimeoffsetfromparts`;const BIGQUERY=`
  approx_count_distinct approx_quantiles approx_top_count approx_top_sum array_concat array_concat_agg array_first
  array_last array_length array_reverse array_slice array_to_string byte_length bit_count code_points_to_string
  contains_substr countif current_datetime date_add date_diff date_from_unix_date date_sub datetime datetime_add
  datetime_diff datetime_sub datetime_trunc div ends_with error farm_fingerprint float64 format format_date
  format_datetime format_time format_timestamp from_base64 from_hex generate_array generate_date_array
  generate_timestamp_array generate_uuid ieee_divide int64 is_inf is_nan json_extract json_extract_array
  json_extract_scalar json_extract_string_array json_keys json_query_array json_set json_strip_nulls json_type
  json_value_array lax_bool lax_float64 lax_int64 lax_string logical_and logical_or make_interval normalize
  normalize_and_casefold offset ordinal parse_date parse_datetime parse_json parse_time parse_timestamp
  range_bucket rand regexp_contains regexp_extract regexp_extract_all safe_add safe_cast safe_convert_bytes_to_string
  safe_divide safe_multiply safe_negate safe_offset safe_ordinal safe_subtract session_user split st_area st_asgeojson
  st_astext st_contains st_distance st_dwithin st_geogfromtext st_geogpoint st_intersects st_within st_x st_y
  starts_with string strpos struct time time_add time_diff time_sub time_trunc timestamp timestamp_add timestamp_diff
  timestamp_micros timestamp_millis timestamp_seconds timestamp_sub timestamp_trunc to_base64 to_code_points to_hex
  to_json to_json_string unix_date unix_micros unix_millis unix_seconds array date_bucket justify_days justify_hours
  safe_offset range corr generate_range_array edit_distance cosine_distance euclidean_distance
  net.host net.ip_from_string net.ip_to_string net.ip_net_mask net.ip_trunc net.public_suffix net.reg_domain
  net.safe_ip_from_string hll_count.init hll_count.merge hll_count.extract hll_count.merge_partial`;const SNOWFLAKE=`
  approx_count_distinct approx_percentile approx_top_k array_agg array_append array_cat array_compact array_construct
  array_contains array_distinct array_except array_intersection array_max array_min array_position array_prepend
  array_size array_slice array_sort array_to_string array_unique_agg arrays_overlap as_array as_char as_date as_integer
  as_object as_varchar base64_encode base64_decode_string bitand bitor bitxor boolor_agg booland_agg cbrt charindex
  check_json collate contains convert_timezone count_if current_account current_client current_database current_region
  current_role current_schema current_schemas current_session current_statement current_transaction current_version
  current_warehouse date_from_parts dateadd datediff datefromparts dayname dayofmonth dayofweekiso decode
  div0 div0null editdistance endswith equal_null factorial flatten generator get get_ddl get_path hash hash_agg
  haversine hex_encode iff ilike is_array is_boolean is_integer is_null_value is_object is_role_in_session jarowinkler_similarity
  json_extract_path_text kurtosis last_query_id len like_any likeany listagg max_by md5_hex min_by monthname months_between
  next_day nullifzero object_agg object_construct object_construct_keep_null object_delete object_insert object_keys object_pick
  parse_ip parse_json parse_url previous_day random randstr ratio_to_report regexp regexp_extract_all
  regexp_substr_all result_scan rlike seq1 seq2 seq4 seq8 sha1_hex sha2 skew space split split_to_table square
  st_area st_asgeojson st_astext st_contains st_distance st_dwithin st_intersects st_makepoint st_within st_x st_y
  startswith strip_null_value strtok strtok_split_to_table strtok_to_array sysdate systimestamp time time_from_parts time_slice
  timeadd timediff timestamp_from_parts timestampadd timestampdiff to_array to_binary to_boolean to_decimal to_double
  to_geography to_json to_numeric to_object to_time to_timestamp_ltz to_timestamp_ntz to_timestamp_tz to_varchar to_variant
  try_base64_decode_string try_parse_json try_to_boolean try_to_date try_to_decimal try_to_double try_to_number try_to_numeric
  try_to_time try_to_timestamp typeof uniform unicode uuid_string weekiso weekofyear width_bucket xmlget yearofweek
  yearofweekiso zeroifnull zipf normal minhash conditional_true_event conditional_change_event bitnot trunc rtrimmed_length
  bitshiftleft bitshiftright hll epoch date_mktime time_bucket array_generate_range reduce filter transform`;const DUCKDB=`
  approx_count_distinct approx_quantile arg_max arg_min array_append array_cat array_concat array_contains array_distinct
  array_extract array_filter array_has array_length array_position array_reverse array_slice array_sort array_to_string
  array_transform bar base64 bit_count cbrt century columns contains current_catalog current_database current_schema
  current_schemas current_setting datediff date_add date_diff date_sub datesub datepart dayname dayofmonth decade
  damerau_levenshtein duckdb_columns duckdb_constraints duckdb_databases duckdb_indexes duckdb_schemas duckdb_settings
  duckdb_tables duckdb_types duckdb_views editdist3 element_at encode ends_with entropy enum_range epoch epoch_ms
  epoch_ns epoch_us era even exclude factorial favg filter first flatten format format_bytes from_base64 fsum gcd
  gen_random_uuid generate_series generate_subscripts geomean grade_up hamming hash hex histogram ilike_escape isfinite isinf
  isnan isodow isoyear jaccard jaro_similarity jaro_winkler_similarity json json_array_length json_contains json_each
  json_extract json_extract_path json_extract_path_text json_extract_string json_group_array json_group_object json_keys
  json_merge_patch json_quote json_structure json_transform json_tree json_type json_valid julian kahan_sum kurtosis
  last lcm len length_grapheme levenshtein list list_aggregate list_append list_avg list_concat list_contains list_count
  list_cosine_similarity list_distance list_distinct list_element list_extract list_filter list_has list_has_all list_has_any
  list_max list_min list_position list_reduce list_resize list_reverse list_slice list_sort list_sum list_transform list_unique
  list_value list_zip mad make_date make_time make_timestamp make_timestamptz map map_contains map_entries map_extract
  map_from_entries map_keys map_values max_by millennium min_by monthname nextafter nfc_normalize not_ilike_escape num_nulls
  ord parse_filename parse_path pragma_table_info prefix printf product quantile quantile_cont quantile_disc random range
  regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_split_to_array
  regexp_split_to_table reservoir_quantile row row_to_json sem sha1 skewness split starts_with str_split string_split
  string_split_regex string_to_array strip_accents strftime strlen strpos strptime struct_extract struct_insert struct_pack
  subtract suffix time_bucket timezone to_base64 to_binary to_days to_hours to_json to_milliseconds to_minutes to_months
  to_seconds to_weeks to_years today transaction_timestamp trunc try_strptime typeof unbin unhex unicode
  union_extract union_tag unnest url_decode url_encode uuid uuidv4 uuidv7 week weekday weekofyear xor yearweek array_value
  to_timestamp list_any_value apply any_value array_agg date_bin isoweek timetz_byte_comparable get_bit set_bit`;const CLICKHOUSE=`
  adddays addhours addminutes addmonths addquarters addseconds addweeks addyears any anyheavy anylast argmax argmin
  arrayall arrayavg arrayconcat arraycount arraycumsum arraydifference arraydistinct arrayelement arrayenumerate arrayexists
  arrayfill arrayfilter arrayfirst arrayfirstindex arrayflatten arrayintersect arrayjoin arraylast arraymap arraymax arraymin
  arraypopback arraypopfront arraypushback arraypushfront arrayreduce arrayresize arrayreverse arrayreversesort
  arrayslice arraysort arraystringconcat arraysum arrayuniq arrayzip array assumenotnull avgweighted bar base64decode
  base64encode bin bitand bitcount bitnot bitor bitshiftleft bitshiftright bitxor caseexpression cityhash64 concatwithseparator
  countdigits countequal countsubstrings currentdatabase currentuser dateadd datediff datename datesub date_add date_diff
  date_sub domain domainwithoutwww dumpcolumnstructure empty endswith entropy exponentialmovingaverage extractall
  extractallgroups extracttextfromhtml farmhash64 finalizeaggregation floor format formatdatetime formatreadabledecimalsize
  formatreadablequantity formatreadablesize formatreadabletimedelta fromunixtimestamp fromunixtimestamp64milli
  generateuuidv4 generateuuidv7 geodistance greatcircledistance geohashencode geohashdecode grouparray grouparrayinsertat
  grouparraymovingavg grouparraymovingsum grouparraysample groupbitand groupbitor groupbitxor groupconcat groupuniqarray
  halfmd5 has hasall hasany hassubstr hastoken hex histogram hostname identity ilike inttohexstring intdiv intdivorzero
  intexp10 intexp2 ipv4numtostring ipv4stringtonum ipv6numtostring isfinite isinfinite isnan isnotnull isnull isvalidutf8
  isvalidjson javahash jsonextract jsonextractarrayraw jsonextractbool jsonextractfloat jsonextractint jsonextractkeys
  jsonextractkeysandvalues jsonextractraw jsonextractstring jsonextractuint jsonhas jsonkey jsonlength jsontype json_value
  jump kostikconsistenthash kurtpop kurtsamp laginframe leadinframe leftpad leftpadutf8 lengthutf8 levenshteindistance like
  lowerutf8 map mapadd mapapply mapcontains mapfilter mapfromarrays mapkeys mappopulateseries mapsubtract mapvalues
  match materialize maxmap metrohash64 minmap minus moduloorzero monthname multifuzzymatchany multiif multimatchany
  multisearchany multiply murmurhash3_64 ngramdistance not notempty notequals notilike notin notlike nullin number numbers
  numbers_mt one or parsedatetime parsedatetime32besteffort parsedatetimebesteffort parsedatetimebesteffortornull path
  pathfull plus port positioncaseinsensitive positionutf8 protocol quantile quantiledeterministic quantileexact quantileexactweighted
  quantiles quantilesexact quantilestdigest quantiletdigest quantiletiming querystring rand rand32 rand64 randconstant range
  regexpquotemeta reinterpretasstring replaceall replaceone replaceregexpall replaceregexpone retention
  roundage roundbankers rounddown roundduration roundtoexp2 rownumberinallblocks runningaccumulate runningdifference sequencecount
  sequencematch simplejsonextractstring simplejsonextractint simplejsonhas siphash64 skewpop skewsamp sorted splitbychar
  splitbyregexp splitbystring splitbywhitespace startswith stddevpop stddevsamp stddevpopstable substringindex substringutf8
  subtractdays subtracthours subtractminutes subtractmonths subtractquarters subtractseconds subtractweeks subtractyears
  sumcount summap sumwithoverflow throwif timeslot timeslots timezone toarray tobool tocolumntypename todate todate32 todatetime
  todatetime64 todayofmonth todayofweek todayofyear todays todecimal128 todecimal32 todecimal64 tofixedstring tofloat32
  tofloat64 tofloat64ornull tofloat64orzero tohour toint128 toint16 toint32 toint32ornull toint32orzero toint64 toint64ornull
  toint64orzero toint8 tointervalday tointervalhour tointervalminute toipv4 toipv6 toisoweek toisoyear tolowcardinality
  tominute tomonday tomonth tonullable toquarter torelativedaynum tosecond tostartofday tostartoffifteenminutes
  tostartoffiveminutes tostartofhour tostartofinterval tostartofisoyear tostartofminute tostartofmonth tostartofquarter
  tostartofsecond tostartofweek tostartofyear tostring tostringcuttozero totime totimezone totypename touint16 touint32 touint64
  touint64ornull touint8 tounixtimestamp touuid toweek toyear toyearweek toyyyymm toyyyymmdd toyyyymmddhhmmss today
  toplevel toplevels topk topkweighted transform trimboth trimleft trimright truncate tuple tupleelement unhex uniq
  uniqcombined uniqcombined64 uniqexact uniqhll12 uniqtheta unixtimestamp upperutf8 uptime urlpath urlhash
  varpop varsamp visitparamextractbool visitparamextractint visitparamextractstring visitparamhas width windowfunnel
  xor xxhash64 yesterday zeros equals less greater lessorequals greaterorequals and negate divide modulo gcd lcm exp2 exp10 cbrt
  erf erfc lgamma tgamma corrstable date_format date_bucket subdate adddate timestamp_add tuplehammingdistance l2distance cosinedistance
  l2norm arraycosinedistance deltasum boundingratio simplelinearregression intervallengthsum mannwhitneyutest`;const ORACLE=`
  approx_count_distinct ascii asciistr bin_to_num bitand cardinality chartorowid collect compose convert
  current_schema dbtimezone decode decompose dump empty_blob empty_clob existsnode extractvalue from_tz group_id
  grouping_id hextoraw lag length2 length4 lengthb listagg lnnvl localtimestamp months_between nanvl new_time next_day
  nls_charset_id nls_charset_name nls_initcap nls_lower nls_upper nlssort numtodsinterval numtoyminterval ora_hash powermultiset
  ratio_to_report rawtohex rawtonhex remainder rowidtochar scn_to_timestamp sessiontimezone standard_hash
  stats_mode substrb sys_connect_by_path sys_context sys_extract_utc sys_guid sys_typeid sysdate systimestamp timestamp_to_scn
  to_binary_double to_binary_float to_clob to_dsinterval to_lob to_multi_byte to_nchar to_nclob to_single_byte to_timestamp_tz
  to_yminterval tz_offset uid unistr userenv validate_conversion vsize width_bucket wm_concat xmlagg xmlelement
  xmlforest xmlserialize json_mergepatch json_serialize json_equal json_dataguide`;const TABLE_FUNCTIONS={mysql:`json_table`,sqlite:`json_each json_tree generate_series pragma_table_info pragma_table_xinfo pragma_index_list pragma_index_info
    pragma_index_xinfo pragma_foreign_key_list pragma_table_list pragma_database_list pragma_function_list
    pragma_collation_list pragma_compile_options pragma_module_list pragma_pragma_list`,mssql:`string_split openjson generate_series`,bigquery:`unnest`,snowflake:`flatten generator split_to_table strtok_split_to_table result_scan`,duckdb:`range generate_series unnest json_each json_tree duckdb_columns duckdb_constraints duckdb_databases
    duckdb_indexes duckdb_schemas duckdb_settings duckdb_tables duckdb_types duckdb_views pragma_table_info
    regexp_split_to_table`,clickhouse:`numbers numbers_mt zeros one generate_series values`,oracle:`json_table xmltable`};const FUNCTIONS={mysql:MYSQL,sqlite:SQLITE,mssql:MSSQL,bigquery:BIGQUERY,snowflake:SNOWFLAKE,duckdb:DUCKDB,clickhouse:CLICKHOUSE,oracle:ORACLE};const TYPES=`varchar2 nvarchar2 number binary_float binary_double raw rowid urowid clob nclob blob long xmltype sdo_geometry
  variant object array geography geometry money smallmoney uniqueidentifier sysname hierarchyid xml rowversion sql_variant
  datetime2 datetimeoffset smalldatetime image ntext text tinytext mediumtext longtext hugeint uhugeint utinyint usmallint uinteger
  ubigint timestamp_s timestamp_ms timestamp_ns timestamp_ltz timestamp_ntz timestamp_tz timestamptz time_ntz decimal32 decimal64
  decimal128 decimal256 uuid ipv4 ipv6 json jsonb bignumeric bigdecimal string number float64 int64 bytes bool integer int real
  double numeric bit bitstring signed unsigned char year struct map enum date time timestamp datetime vector super`;function otherFunctions(dialect){const words=text=>new Set(text.trim().split(/\s+/));return{scalar:words(`${COMMON} ${FUNCTIONS[dialect]}`),table:words(TABLE_FUNCTIONS[dialect]),types:words(TYPES)}}const CLICKHOUSE_ENDINGS=/(if|array|map|ornull|ordefault|distinct|foreach|merge|state|resample)$/;;const SCALAR_VARIANTS=`Identifier CompoundIdentifier Value BinaryOp UnaryOp Nested InList IsNull IsNotNull IsTrue
  IsNotTrue IsFalse IsNotFalse IsUnknown IsNotUnknown Like ILike Cast Convert Case Function Interval TypedString
  Extract Ceil Floor Substring Trim Position Overlay Tuple Unnamed List Expr Custom`;const READ_VARIANTS=`${SCALAR_VARIANTS} Query Select SetOperation Values Subquery Exists InSubquery InUnnest AnyOp AllOp
  Between SimilarTo RLike IsDistinctFrom IsNotDistinctFrom AtTimeZone Collate Array Struct Dictionary Map Lambda
  Named ExprNamed MemberOf MatchAgainst JsonAccess CompoundFieldAccess Subscript Index Slice Dot Bracket OuterJoin Prior
  QualifiedWildcard Wildcard ExprWithAlias UnnamedExpr ObjectName Expressions GroupingSets Cube Rollup
  Table Derived NestedJoin UNNEST JsonTable XmlTable OpenJsonTable TableFunction Pivot Unpivot Multiple Single
  ForOrdinality NamedInfo Join Inner Left LeftOuter Right RightOuter FullOuter CrossJoin Semi LeftSemi RightSemi Anti
  LeftAnti RightAnti AsOf CrossApply OuterApply StraightJoin ArrayJoin LeftArrayJoin InnerArrayJoin On Using LimitOffset
  OffsetCommaLimit Constant One Many NamedWindow WindowSpec Preceding Following OrderBy Limit Separator Having OnOverflow
  IgnoreOrRespectNulls AfterTableAlias BeforeTableAlias TableSampleQuantity Bucket ForSystemTimeAsOf StartWith
  ConnectBy Json Xml IntegerLength Match NoKeyword Some ExceptionWhen JsonNullClause JsonReturningClause Literal Exact
  NullTreatment DateTimeField WithFill Interpolate All Any Error Truncate Parenthesized Any`;const MEMBERS=`
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
`;const FREE_WORDS=`clause end_bound start_bound flavor kind style syntax set_quantifier hint_type index_type modifier
  obj_type parent_type describe_alias distinct duplicate_treatment for_json for_xml field leading_field last_field
  lock_type nonblock units rows join_operator compare_op prefix text tag operator Unnamed IgnoreOrRespectNulls
  Expressions Join key charset materialized name trim_where null_treatment null_inclusion opt_search_modifier shorthand
  form escape_char format Assignment nulls OnOverflow JsonNullClause quote_style unit value_table_mode within_group index
  for_clause type path_type Custom DateTimeField opt_ilike pattern SquareBracket
  select_modifiers NullTreatment all Any value binary_base64 Wildcard`;const READ_OPERATORS=`And Or Xor Not Eq NotEq Lt LtEq Gt GtEq Plus Minus Multiply Divide Modulo StringConcat Spaceship
  BitwiseAnd BitwiseOr BitwiseXor BitwiseNot DuckIntegerDivide MyIntegerDivide Match Regexp Arrow LongArrow HashArrow
  HashLongArrow HashMinus AtArrow ArrowAt AtAt AtQuestion Question QuestionAnd QuestionPipe Overlaps LtDashGt
  PGBitwiseXor PGBitwiseShiftLeft PGBitwiseShiftRight PGExp PGOverlap PGRegexMatch PGRegexIMatch PGRegexNotMatch
  PGRegexNotIMatch PGLikeMatch PGILikeMatch PGNotLikeMatch PGNotILikeMatch PGStartsWith PGSquareRoot PGCubeRoot PGAbs
  BangNot Union Except Intersect Minus`;const SCALAR_OPERATORS=`And Or Not Eq NotEq Lt LtEq Gt GtEq Plus Minus Multiply Divide Modulo StringConcat`;const other_shapes_words=text=>new Set(text.trim().split(/\s+/));function pairs(text){const found=new Set;for(const line of text.trim().split(`
`)){const[holder=``,...members]=line.trim().split(` `);for(const member of members)found.add(`${holder}/${member}`)}return found}function otherReadShapes(){return{variants:other_shapes_words(READ_VARIANTS),members:pairs(MEMBERS),freeWords:other_shapes_words(FREE_WORDS),operators:other_shapes_words(READ_OPERATORS)}}function otherScalarShapes(){return{variants:other_shapes_words(SCALAR_VARIANTS),members:pairs(MEMBERS),freeWords:other_shapes_words(FREE_WORDS),operators:other_shapes_words(SCALAR_OPERATORS)}};const FILE=/\.(csv|tsv|txt|parquet|json|ndjson|jsonl|xlsx?|gz|zst|bz2|arrow|feather|ipc|orc|avro|db|duckdb|sqlite3?|shp|geojson|gpkg|log|md|ya?ml|xml|conf|native)$/i;const SQLITE_TABLES=new Set([`fsdir`,`zipfile`,`sqlite_dbpage`,`sqlite_dbdata`,`sqlite_dbptr`,`csv`,`lsdir`]);const SQLITE_PRAGMA=/^pragma_(table_list|database_list|function_list|collation_list|compile_options|module_list|pragma_list)$/i;const SECRET=new Map([[`mysql`,/^mysql\.(user|global_priv|servers|slave_master_info)$/i],[`mssql`,/(^|\.)(syslogins|sql_logins|sysxlgns|linked_logins|credentials|key_encryptions)$/i],[`oracle`,/(^|\.)(user\$|link\$|dba_db_links)$/i]]);function checkTableName(parts,dialect){const whole=parts.map(part=>part.text).join(`.`);const limit=dialect===`mssql`||dialect===`bigquery`||dialect===`snowflake`||dialect===`duckdb`?3:2;const most=dialect===`bigquery`&&/information_schema/i.test(whole)?4:limit;if(parts.length>most)return`${whole} has more parts than a table of this server`;for(const{text,quote}of parts){if(quote===`'`)return`'${text}' in FROM may be a file`;if(text===``&&dialect===`mssql`)continue;if(!nameForm(dialect,quote!==``).test(text))return`${text} is not the name of a table`}if([`duckdb`,`clickhouse`].includes(dialect)&&FILE.test(whole))return`${whole} may be a file`;const own=parts.at(-1)?.text.toLowerCase()??``;if(dialect===`sqlite`){const reaches=SQLITE_TABLES.has(own)||own.startsWith(`pragma_`)&&!SQLITE_PRAGMA.test(own);if(reaches)return`${whole} reaches beyond the tables`}if(SECRET.get(dialect)?.test(whole))return`${whole} shows what the server keeps secret`;return undefined}function nameForm(dialect,quoted){if(dialect===`bigquery`)return/^[\p{L}_][\p{L}\p{N}_-]*\*?$/u;if(dialect===`mssql`)return quoted?/^[#\p{L}\p{N}_ $-]+$/u:/^#{0,2}[\p{L}_][\p{L}\p{N}_$#]*$/u;return quoted?/^[\p{L}\p{N}_ $-]+$/u:/^[\p{L}_][\p{L}\p{N}_$#]*$/u};function otherLists(dialect){return{dialect,read:otherReadShapes(),scalar:otherScalarShapes(),functions:otherFunctions(dialect)}}function nameParts(tree){if(!Array.isArray(tree)||tree.length===0)return undefined;const parts=[];for(const item of tree){const part=identifier(nodeAt(item,`Identifier`)??item);if(!part)return undefined;parts.push(part)}return parts}function identifier(tree){const text=textAt(tree,`value`);if(text===undefined||!isNode(tree)||!Object.hasOwn(tree,`quote_style`))return undefined;return{text,quote:textAt(tree,`quote_style`)??``}}const isEmpty=value=>value===null||value===false||value===`None`||Array.isArray(value)&&value.length===0;const LITERALS=new Set(`SingleQuotedString DoubleQuotedString NationalStringLiteral Number Boolean HexStringLiteral EscapedStringLiteral
  SingleQuotedByteStringLiteral DoubleQuotedByteStringLiteral SingleQuotedRawStringLiteral
  DoubleQuotedRawStringLiteral UnicodeStringLiteral Placeholder`.split(/\s+/));const HINTS=new Set([`NOLOCK`,`READUNCOMMITTED`,`READCOMMITTED`,`READPAST`,`NOEXPAND`,`ROWLOCK`,`FORCESEEK`]);class OtherWalk{concerns=[];locks=false;#lists;#shapes;constructor(lists,scalar){this.#lists=lists;this.#shapes=scalar?lists.scalar:lists.read}visit(holder,tree){if(Array.isArray(tree)){for(const item of tree)this.visit(holder,item)}else if(typeof tree===`string`){this.#word(holder,tree)}else if(isNode(tree)&&!identifier(tree)){for(const[key,value]of Object.entries(tree)){if(!isEmpty(value))this.#entry(holder,key,value)}}}#entry(holder,key,value){const isVariant=/^[A-Z]/.test(key);if(holder===`op`){this.#hold(`E_SQL_FUNCTION`,`an operator that is not a known one`);return}if(LITERALS.has(key))return;if(isVariant?!this.#shapes.variants.has(key):!this.#shapes.members.has(`${holder}/${key}`)){this.#hold(`E_SQL_SHAPE`,isVariant?`${key} is not a part of a known read`:`${holder} with ${key}`);return}switch(key){case`Value`:return;case`data_type`:case`field_type`:this.#type(value);return;case`Function`:this.#call(nodeAt({value},`value`),holder===`relation`?`table`:`scalar`);break;case`TableFunction`:this.#tableFunction(value);return;case`Table`:this.#table(value);break;case`CompoundIdentifier`:this.#column(value);return;case`locks`:this.locks=true;break;case`with_hints`:this.#hints(value);return;case`optimizer_hints`:this.#optimizerHints(value);return}if(key===`name`||key===`format_clause`||key===`with_offset_alias`)return;this.visit(key,value)}#hold(code,text){this.concerns.push({code,text})}#word(holder,word){if(holder===`op`){if(!this.#shapes.operators.has(word))this.#hold(`E_SQL_SHAPE`,`the operator ${word} is not a known one`)}else if(!this.#shapes.freeWords.has(holder)){this.#hold(`E_SQL_SHAPE`,`${holder} ${word} is not a part of a known read`)}}#type(tree){if(Array.isArray(tree)){for(const item of tree)this.#type(item);return}if(!isNode(tree))return;for(const[key,value]of Object.entries(tree)){if(key===`Custom`){const parts=nameParts(Array.isArray(value)?value[0]:value);const name=parts?.length===1?parts[0]?.text.toLowerCase()??``:``;if(!this.#isType(name)){this.#hold(`E_SQL_FUNCTION`,`the type ${parts?.map(part=>part.text).join(`.`)??`of a cast`} is not a known one`)}}else{this.#type(value)}}}#isType(name){return this.#lists.functions.types.has(name)}#call(node,kind){const parts=nameParts(member(node,`name`));const name=parts?.map(part=>part.text.toLowerCase()).join(`.`)??``;const quoted=parts?.some(part=>part.quote!==``)??true;if(quoted||!this.#isFunction(name,kind)){this.#hold(`E_SQL_FUNCTION`,`the function ${name} is not known to only read`)}else if(this.#lists.dialect===`mysql`&&name===`last_insert_id`&&listAt(member(nodeAt(node,`args`),`List`),`args`).length>0){this.#hold(`E_SQL_FUNCTION`,`last_insert_id with an argument changes the session`)}}#isFunction(name,kind){const known=this.#lists.functions[kind];if(known.has(name))return true;if(kind===`table`)return false;if(this.#lists.dialect===`bigquery`&&name.startsWith(`safe.`))return known.has(name.slice(5));if(this.#lists.dialect===`clickhouse`){for(let base=name;CLICKHOUSE_ENDINGS.test(base);){base=base.replace(CLICKHOUSE_ENDINGS,``);if(known.has(base))return true}}return false}#tableFunction(value){const call=nodeAt(member(value,`expr`),`Function`);if(!call){this.#hold(`E_SQL_SHAPE`,`TABLE(…) of something unknown`);return}this.#call(call,`table`);this.visit(`Function`,without(call,`name`))}#table(value){const parts=nameParts(member(value,`name`));if(!parts){this.#hold(`E_SQL_SHAPE`,`a table whose name is computed`);return}const args=member(value,`args`);if(args!==undefined&&args!==null){this.#call(nodeAt({value},`value`),`table`);return}const problem=checkTableName(parts,this.#lists.dialect);if(problem)this.#hold(`E_SQL_SHAPE`,problem)}#column(value){const last=nameParts(value)?.at(-1)?.text.toLowerCase();if(last===undefined||last===`nextval`){this.#hold(`E_SQL_FUNCTION`,`nextval changes a sequence`)}}#hints(value){for(const hint of Array.isArray(value)?value:[]){const name=identifier(nodeAt(hint,`Identifier`))?.text.toUpperCase()??`of an unknown kind`;if(!HINTS.has(name))this.#hold(`E_SQL_SHAPE`,`the table hint ${name} is not a known one`)}}#optimizerHints(value){if(/set_var|resource_group/i.test(JSON.stringify(value))){this.#hold(`E_SQL_SHAPE`,`a hint that changes settings`)}}}function without(node,key){return Object.fromEntries(Object.entries(node).filter(([name])=>name!==key))};const PSEUDO_COLUMNS=new Set(`user uid rownum level sysdate systimestamp sessiontimezone dbtimezone ora_rowscn sqlcode current_user session_user
  system_user current_date current_time current_timestamp current_role current_schema current_catalog current_database
  localtime localtimestamp connect_by_isleaf connect_by_iscycle true false null unknown default`.split(/\s+/));function other_bounded_columnOf(tree,target){const single=identifier(member(tree,`Identifier`));const parts=single?[single]:nameParts(member(tree,`CompoundIdentifier`));const last=parts?.at(-1);if(!parts||!last||parts.length>2)return undefined;if(parts.length===2&&parts[0]?.text.toLowerCase()!==target.name)return undefined;const name=last.text.toLowerCase();if(last.quote===`"`&&[`sqlite`,`mysql`,`mssql`].includes(target.dialect))return undefined;if(!/^\p{L}[\p{L}\p{N}_]*$/u.test(name))return undefined;if(last.quote===``&&PSEUDO_COLUMNS.has(name))return undefined;return!target.keys||target.keys.includes(name)?name:undefined}function constantKind(tree,dialect){const[type,node]=tagged(tree)??[];if(type===`UnaryOp`&&textAt(node,`op`)===`Minus`){return constantKind(member(node,`expr`),dialect)===`number`?`number`:undefined}if(type===`TypedString`&&dialect!==`mysql`)return`text`;if(type!==`Value`)return undefined;const value=member(node,`value`);const digits=listAt(value,`Number`)[0];if(typeof digits===`string`){if(dialect===`mysql`)return/^0*[1-9][0-9]*$/.test(digits)?`number`:undefined;return`number`}const texts=[`SingleQuotedString`,`NationalStringLiteral`,...dialect===`bigquery`?[`DoubleQuotedString`]:[]];return texts.some(key=>textAt(value,key)!==undefined)?`text`:undefined}function otherBounded(tree,target){const[type,node]=tagged(tree)??[];if(type===`Nested`)return otherBounded(node,target);if(type===`InList`){if(member(node,`negated`)!==false)return false;const kinds=new Set(listAt(node,`list`).map(item=>constantKind(item,target.dialect)));return other_bounded_columnOf(member(node,`expr`),target)!==undefined&&kinds.size===1&&!kinds.has(undefined)}if(type!==`BinaryOp`)return false;const left=member(node,`left`);const right=member(node,`right`);switch(textAt(node,`op`)){case`And`:return otherBounded(left,target)||otherBounded(right,target);case`Or`:return otherBounded(left,target)&&otherBounded(right,target);case`Eq`:return other_bounded_columnOf(left,target)!==undefined&&constantKind(right,target.dialect)!==undefined||other_bounded_columnOf(right,target)!==undefined&&constantKind(left,target.dialect)!==undefined;default:return false}}const other_bounded_hasColumn=tree=>someIn(tree,node=>Object.hasOwn(node,`Identifier`)||Object.hasOwn(node,`CompoundIdentifier`));function otherTautology(tree){const[type,node]=tagged(tree)??[];if(type===undefined||node===undefined)return undefined;if(!other_bounded_hasColumn(tree))return`a branch of WHERE does not depend on the row`;if(type===`Nested`)return otherTautology(node);if(type!==`BinaryOp`||!isNode(node))return undefined;const left=member(node,`left`);const right=member(node,`right`);if(textAt(node,`op`)===`Or`)return otherTautology(left)??otherTautology(right);if(textAt(node,`op`)===`And`)return undefined;const same=JSON.stringify(plainTree(left??null))===JSON.stringify(plainTree(right??null));return same?`WHERE compares a column with itself`:undefined};const SHOWS=new Map([[`ShowTables`,`terse history extended full external show_options`],[`ShowViews`,`terse materialized show_options`],[`ShowColumns`,`extended full show_options`],[`ShowCreate`,`obj_type obj_name`],[`ShowDatabases`,`terse history show_options`],[`ShowSchemas`,`terse history show_options`],[`ShowFunctions`,`filter`],[`ShowCollation`,`filter`],[`ShowStatus`,`filter session global`],[`ShowVariables`,`filter session global`],[`ShowVariable`,`variable`],[`ShowProcessList`,`full`],[`ShowObjects`,`terse show_options`],[`ShowCharset`,`is_shorthand filter`]]);const judge_other_INDIRECT=new Set([`Call`,`Execute`,`Prepare`,`StartTransaction`,`Declare`,`Fetch`,`Open`,`Return`,`If`,`While`,`Case`]);const judge_other_held=(code,text)=>({tier:0,concerns:[{code,text}]});function judgeOther(parsed,lists,keys){const statements=Array.isArray(parsed)?parsed:[];if(statements.length>1)return judge_other_held(`E_SQL_MULTI`,`the text holds ${statements.length} statements`);const[type,node]=tagged(statements[0])??[];if(type===undefined||node===undefined)return judge_other_held(`E_SQL_UNPARSED`,`the text holds no statement`);return judge_other_judgeStatement(type,node,lists,keys)}function judge_other_judgeStatement(type,node,lists,keys){const shows=SHOWS.get(type);if(shows!==undefined)return onlyMembers(type,node,shows);switch(type){case`Query`:{const walk=new OtherWalk(lists,false);walk.visit(`Query`,node);return{tier:walk.locks?1:0,concerns:walk.concerns}}case`Explain`:return judge_other_judgeExplain(node,lists);case`ExplainTable`:return judgeDescribe(node,lists);case`Insert`:return judge_other_judgeInsert(node,lists);case`Update`:return judgeUpdate(node,lists,keys);case`Delete`:return judgeDelete(node,lists,keys)}if(judge_other_INDIRECT.has(type))return judge_other_held(`E_SQL_INDIRECT`,`${type} runs something that is not in the text`);return judge_other_held(`E_SQL_SHAPE`,`${type} is neither a read nor bounded DML`)}const judge_other_isEmpty=value=>value===null||value===false||value===`None`||Array.isArray(value)&&value.length===0;function unknownMembers(node,known){const names=new Set(known.split(` `));if(!isNode(node))return[];return Object.entries(node).filter(([key,value])=>!names.has(key)&&!key.endsWith(`_token`)&&key!==`span`&&!judge_other_isEmpty(value)).map(([key])=>key)}function membersConcerns(type,node,known){return unknownMembers(node,known).map(key=>({code:`E_SQL_SHAPE`,text:`${type} with ${key}`}))}const onlyMembers=(type,node,known)=>({tier:0,concerns:membersConcerns(type,node,known)});function judge_other_judgeExplain(node,lists){const[type,query]=tagged(member(node,`statement`))??[];if(type!==`Query`||query===undefined)return judge_other_held(`E_SQL_SHAPE`,`EXPLAIN of something that is no query`);const judgement=judge_other_judgeStatement(type,query,lists,undefined);const known=`statement analyze describe_alias format query_plan verbose estimate`;judgement.concerns.push(...membersConcerns(`Explain`,node,known));return judgement}function judgeDescribe(node,lists){const concerns=membersConcerns(`Describe`,node,`describe_alias has_table_keyword table_name`);const parts=nameParts(member(node,`table_name`));const problem=parts?checkTableName(parts,lists.dialect):`a table whose name is computed`;if(problem)concerns.push({code:`E_SQL_SHAPE`,text:problem});return{tier:0,concerns}}const SYSTEM_SCHEMAS=new Set(`mysql sys performance_schema information_schema pg_catalog system master msdb model tempdb snowflake account_usage
  xdb mdsys ctxsys`.split(/\s+/));function changed(lists,name){const walk=new OtherWalk(lists,true);const table=nameParts(name)??[];const problem=table.length===0?`the target of the change is no plain table`:checkTableName(table,lists.dialect);if(problem)walk.concerns.push({code:`E_SQL_SHAPE`,text:problem});const schemas=table.slice(0,-1).map(part=>part.text.toLowerCase());const own=table.at(-1)?.text.toLowerCase()??``;if(schemas.some(schema=>SYSTEM_SCHEMAS.has(schema))||/^(sqlite_|pg_|sys\.|dba_|v\$)/.test(own)){walk.concerns.push({code:`E_SQL_SHAPE`,text:`${own} belongs to the server`})}return{walk,table}}function judge_other_judgeInsert(node,lists){const{walk,table}=changed(lists,member(nodeAt(node,`table`),`TableName`));walk.concerns.push(...membersConcerns(`Insert`,node,`into table columns source`));const columns=listAt(node,`columns`).map(column=>nameParts(column)?.at(-1)?.text.toLowerCase());if(lists.dialect===`sqlite`&&columns.includes(table.at(-1)?.text.toLowerCase())){walk.concerns.push({code:`E_SQL_SHAPE`,text:`a command to a full-text table`})}const source=nodeAt(node,`source`);const values=nodeAt(member(source,`body`),`Values`);if(!source||!values||unknownMembers(source,`body`).length>0){walk.concerns.push({code:`E_SQL_UNBOUNDED`,text:`INSERT takes its rows from a query`});return{tier:1,concerns:walk.concerns}}walk.concerns.push(...membersConcerns(`Values`,values,`rows`));for(const row of listAt(values,`rows`)){walk.concerns.push(...membersConcerns(`Row`,row,`content`));for(const value of listAt(row,`content`))walk.visit(`expr`,value)}return{tier:1,concerns:walk.concerns}}function target(lists,from){const relation=nodeAt(from,`relation`);const table=nodeAt(relation,`Table`);const found=changed(lists,member(table,`name`));if(table)found.walk.concerns.push(...membersConcerns(`Table`,table,`name alias`));const alias=nodeAt(table,`alias`);if(alias)found.walk.concerns.push(...membersConcerns(`Alias`,alias,`name explicit`));return{...found,alias:identifier(member(alias,`name`))?.text??``,alone:unknownMembers(from??null,`relation`).length===0}}function judgeDelete(node,lists,keys){const[,from]=tagged(member(node,`from`))??[];const tables=Array.isArray(from)?from:[];const found=target(lists,tables[0]);found.walk.concerns.push(...membersConcerns(`Delete`,node,`from selection limit`));if(tables.length!==1||!found.alone||listAt(node,`tables`).length>0){found.walk.concerns.push({code:`E_SQL_UNBOUNDED`,text:`DELETE names more than one table`})}return bounded(`DELETE`,node,found,lists,keys)}function judgeUpdate(node,lists,keys){const found=target(lists,member(node,`table`));found.walk.concerns.push(...membersConcerns(`Update`,node,`table assignments selection limit`));if(!found.alone||member(node,`from`)){found.walk.concerns.push({code:`E_SQL_UNBOUNDED`,text:`UPDATE joins another table`})}for(const assignment of listAt(node,`assignments`)){found.walk.concerns.push(...membersConcerns(`Set`,assignment,`target value`));if(!nameParts(member(nodeAt(assignment,`target`),`ColumnName`))){found.walk.concerns.push({code:`E_SQL_SHAPE`,text:`SET of something that is no column`})}found.walk.visit(`expr`,member(assignment,`value`))}return bounded(`UPDATE`,node,found,lists,keys)}function bounded(verb,node,found,lists,keys){const{walk}=found;const where=member(node,`selection`);if(!isNode(where)){walk.concerns.push({code:`E_SQL_UNBOUNDED`,text:`${verb} has no WHERE`});return{tier:1,concerns:walk.concerns}}const table=found.table.at(-1)?.text??``;const schema=found.table.at(-2)?.text;const goal={dialect:lists.dialect,name:(found.alias||table).toLowerCase(),keys:keys&&keyColumns(keys,table,schema)};if(!otherBounded(where,goal)){const tautology=otherTautology(where);if(tautology)walk.concerns.push({code:`E_SQL_TAUTOLOGY`,text:tautology});walk.concerns.push({code:`E_SQL_UNBOUNDED`,text:`${verb}: not every branch of WHERE has ${keys?`a key column`:`a column`} = constant`})}walk.visit(`expr`,where);if(lists.dialect===`mysql`&&JSON.stringify(node).includes(`"StringConcat"`)){walk.concerns.push({code:`E_SQL_UNBOUNDED`,text:`|| is OR in MySQL, or not, by a setting`})}const limit=member(node,`limit`);if(limit)walk.visit(`expr`,limit);return{tier:1,concerns:walk.concerns}};class UnreadableSql extends Error{}async function loadPostgresParser(){const pg=await Promise.resolve().then(__nccwpck_require__.bind(__nccwpck_require__,961));await pg.loadModule();return sql=>{try{return pg.parseSync(sql)}catch(error){if(error instanceof Error&&error.name===`SqlError`)throw new UnreadableSql(error.message);throw error}}}async function loadOtherParser(dialect){const{init,Parser}=await Promise.resolve().then(__nccwpck_require__.bind(__nccwpck_require__,245));await init();return sql=>{try{return Parser.parse(sql,dialect)}catch(error){const text=messageOf(error);if(/^(sql parser error|parse error|parser error|recursion limit)/i.test(text))throw new UnreadableSql(text);throw error}}};const ABOUT=new Set(`table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check
  integrity_check quick_check`.split(/\s+/));const VALUES=new Set(`application_id auto_vacuum busy_timeout cache_size cell_size_check checkpoint_fullfsync collation_list compile_options
  data_version database_list defer_foreign_keys encoding foreign_key_check foreign_keys freelist_count fullfsync
  function_list integrity_check journal_mode journal_size_limit locking_mode max_page_count mmap_size module_list
  page_count page_size pragma_list query_only quick_check read_uncommitted recursive_triggers schema_version
  secure_delete synchronous table_list temp_store threads user_version wal_autocheckpoint`.split(/\s+/));const FORM=/^\s*pragma\s+(?:[a-z_]\w*\s*\.\s*)?([a-z_]+)\s*(\(\s*(?:'[\w .-]*'|"[\w .-]*"|`[\w .-]*`|\w+)\s*\))?[\s;]*$/i;function judgePragma(sql){if(!/^\s*pragma\b/i.test(sql))return undefined;const[,name=``,argument]=FORM.exec(sql)??[];const known=(argument===undefined?VALUES:ABOUT).has(name.toLowerCase());if(known)return{tier:0,concerns:[]};return{tier:0,concerns:[{code:`E_SQL_SHAPE`,text:`PRAGMA that is not known to only show`}]}};const judges=new Map;async function load(dialect){const ready=judges.get(dialect);if(ready)return ready;const judge=dialect===`postgresql`?await loadPostgres():await loadOther(dialect);judges.set(dialect,judge);return judge}async function loadPostgres(){const parse=await loadPostgresParser();const lists=pgLists();return(sql,keys)=>judgePostgres(plainTree(parse(sql)),lists,keys)}async function loadOther(dialect){const parse=await loadOtherParser(dialect);const lists=otherLists(dialect);return(sql,keys)=>{const pragma=dialect===`sqlite`?judgePragma(sql):undefined;return pragma??judgeOther(plainTree(parse(sql)),lists,keys)}}const sql_worker_held=(code,text)=>({tier:0,concerns:[{code,text}]});async function answer(request){try{const judge=await load(request.dialect);return request.kind===`judge`?{judgement:judge(request.sql,request.keys)}:{}}catch(error){if(error instanceof UnreadableSql){const code=/recursion limit/.test(error.message)?`E_SQL_LIMIT`:`E_SQL_UNPARSED`;return{judgement:sql_worker_held(code,`not read as ${request.dialect}: ${error.message}`)}}return{judgement:sql_worker_held(`E_SQL_LIMIT`,`the parser failed: ${messageOf(error)}`),broken:true}}}external_node_worker_threads_namespaceObject.parentPort?.on(`message`,async request=>{external_node_worker_threads_namespaceObject.parentPort?.postMessage({id:request.id,...await answer(request)})});
