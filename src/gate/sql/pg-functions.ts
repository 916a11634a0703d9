/**
 * PostgreSQL's built-in functions that only read, by hand from the catalog `pg_proc` of version 15 and the
 * manual's chapter "Functions and Operators" up to 18. Left out on purpose: everything that reads or writes files
 * (pg_read_file, lo_*, pg_ls_*, pg_stat_file), runs SQL from a string (query_to_xml, ts_stat, ts_rewrite), waits or
 * locks (pg_sleep, pg_advisory_*), touches other sessions or the server (pg_terminate_backend, pg_reload_conf), or
 * changes state (set_config, setseed, nextval, setval, txid_current, pg_notify, pg_export_snapshot).
 */
const TEXT = `
  ascii bit_length btrim char_length character_length chr concat concat_ws convert convert_from convert_to
  decode encode format initcap left length like_escape lower lpad ltrim md5 normalize is_normalized octet_length
  overlay parse_ident position quote_ident quote_literal quote_nullable regexp_count regexp_instr regexp_like
  regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr repeat
  replace reverse right rpad rtrim sha224 sha256 sha384 sha512 split_part starts_with string_to_array
  string_to_table strpos substr substring to_ascii to_hex to_bin to_oct translate trim trim_array unistr upper
  casefold crc32 crc32c bit_count get_bit get_byte set_bit set_byte similar_escape similar_to_escape textlen
  unaccent similarity word_similarity strict_word_similarity show_trgm levenshtein levenshtein_less_equal soundex
  difference metaphone dmetaphone dmetaphone_alt pg_client_encoding to_char to_number`;

const NUMBERS = `
  abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh cbrt ceil ceiling cos cosd cosh cot cotd
  degrees div erf erfc exp factorial floor gamma lgamma gcd lcm ln log log10 min_scale mod pi pow power radians
  random random_normal round scale sign sin sind sinh sqrt tan tand tanh trim_scale trunc width_bucket
  num_nonnulls num_nulls numeric_inc int4inc int8inc`;

const TYPES_AS_FUNCTIONS = `
  bool int2 int4 int8 float4 float8 numeric money text varchar bpchar char name bytea date time timetz timestamp
  timestamptz interval uuid json jsonb xml bit varbit inet cidr macaddr macaddr8 point box circle line lseg path
  polygon oid regclass int4range int8range numrange tsrange tstzrange daterange int4multirange int8multirange
  nummultirange tsmultirange tstzmultirange datemultirange multirange`;

const TIME = `
  age clock_timestamp date_add date_bin date_part date_subtract date_trunc extract isfinite justify_days
  justify_hours justify_interval make_date make_interval make_time make_timestamp make_timestamptz now overlaps
  statement_timestamp timeofday timezone to_date to_timestamp transaction_timestamp`;

const JSON_FUNCTIONS = `
  array_to_json row_to_json to_json to_jsonb json_build_array json_build_object json_object json_array_elements
  json_array_elements_text json_array_length json_each json_each_text json_extract_path json_extract_path_text
  json_object_keys json_populate_record json_populate_recordset json_strip_nulls json_to_record json_to_recordset
  json_typeof jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array
  jsonb_build_object jsonb_contains jsonb_each jsonb_each_text jsonb_exists jsonb_exists_all jsonb_exists_any
  jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists
  jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query jsonb_path_query_array
  jsonb_path_query_array_tz jsonb_path_query_first jsonb_path_query_first_tz jsonb_path_query_tz
  jsonb_populate_record jsonb_populate_record_valid jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_set_lax
  jsonb_strip_nulls jsonb_to_record jsonb_to_recordset jsonb_typeof json_scalar json_serialize`;

const ARRAYS_RANGES = `
  array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions
  array_prepend array_remove array_replace array_reverse array_sample array_shuffle array_sort array_to_string
  array_upper cardinality unnest generate_series generate_subscripts isempty lower_inc lower_inf upper_inc
  upper_inf range_merge range_contains_elem elem_contained_by_range enum_first enum_last enum_range`;

const AGGREGATES = `
  any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp cume_dist
  dense_rank every first_value grouping json_agg json_agg_strict json_object_agg json_object_agg_strict
  json_object_agg_unique json_object_agg_unique_strict jsonb_agg jsonb_agg_strict jsonb_object_agg
  jsonb_object_agg_strict jsonb_object_agg_unique jsonb_object_agg_unique_strict lag last_value lead max min mode
  nth_value ntile percent_rank percentile_cont percentile_disc range_agg range_intersect_agg rank regr_avgx
  regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy row_number stddev stddev_pop
  stddev_samp string_agg sum var_pop var_samp variance xmlagg`;

const SEARCH_XML_NET = `
  array_to_tsvector get_current_ts_config numnode phraseto_tsquery plainto_tsquery querytree setweight strip
  json_to_tsvector jsonb_to_tsvector to_tsquery to_tsvector ts_debug ts_delete ts_filter ts_headline ts_lexize
  ts_parse ts_rank ts_rank_cd ts_token_type tsquery_phrase tsvector_to_array websearch_to_tsquery
  xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xmlcomment xmlconcat xmlexists xmltext
  xpath xpath_exists abbrev broadcast family host hostmask inet_merge inet_same_family masklen netmask network
  set_masklen trunc macaddr8_set7bit area center diagonal diameter height isclosed isopen npoints pclose popen
  radius slope width bound_box ishorizontal isvertical isparallel isperp gen_random_uuid uuidv4 uuidv7
  uuid_extract_timestamp uuid_extract_version uuid_generate_v1 uuid_generate_v4 digest hmac`;

const CATALOG = `
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
  pg_get_wal_replay_pause_state pg_relation_filenode _pg_expandarray`;

/** PostGIS: measures, parts and conversions of a geometry. Nothing that reads rasters or files. */
const GEOMETRY = `
  st_area st_asbinary st_asewkt st_asgeojson st_asmvtgeom st_astext st_azimuth st_buffer st_centroid
  st_closestpoint st_clusterdbscan st_collect st_contains st_convexhull st_covers st_coveredby st_crosses
  st_difference st_disjoint st_distance st_distancesphere st_dwithin st_endpoint st_envelope st_equals st_extent
  st_geogfromtext st_geohash st_geometryn st_geometrytype st_geomfromgeojson st_geomfromtext st_geomfromwkb
  st_intersection st_intersects st_isempty st_isvalid st_length st_linestring st_makebox2d st_makeenvelope
  st_makeline st_makepoint st_makevalid st_numgeometries st_npoints st_overlaps st_perimeter st_point
  st_pointonsurface st_setsrid st_simplify st_snaptogrid st_srid st_startpoint st_subdivide st_touches
  st_transform st_union st_within st_x st_xmax st_xmin st_y st_ymax st_ymin st_z`;

const words = (...lists: string[]): ReadonlySet<string> => new Set(lists.join(' ').trim().split(/\s+/));

/** Functions that only read. Names as the parser folds them. */
export function pgReadFunctions(): ReadonlySet<string> {
  return words(
    TEXT,
    NUMBERS,
    TYPES_AS_FUNCTIONS,
    TIME,
    JSON_FUNCTIONS,
    ARRAYS_RANGES,
    AGGREGATES,
    SEARCH_XML_NET,
    CATALOG,
    GEOMETRY,
  );
}

/** Functions that give many rows: one row of VALUES with one of them inserts any number. */
export function pgSetFunctions(): ReadonlySet<string> {
  return words(`unnest generate_series generate_subscripts regexp_matches regexp_split_to_table string_to_table
    json_array_elements json_array_elements_text json_each json_each_text json_object_keys json_populate_recordset
    json_to_recordset jsonb_array_elements jsonb_array_elements_text jsonb_each jsonb_each_text jsonb_object_keys
    jsonb_path_query jsonb_path_query_tz jsonb_populate_recordset jsonb_to_recordset ts_parse ts_token_type ts_debug
    pg_get_keywords pg_options_to_table pg_partition_tree pg_partition_ancestors aclexplode
    pg_timezone_names pg_timezone_abbrevs pg_listening_channels pg_tablespace_databases pg_available_extensions
    pg_available_extension_versions pg_get_catalog_foreign_keys pg_snapshot_xip txid_snapshot_xip _pg_expandarray
    st_subdivide`);
}

/**
 * Names of parts of a composite value that ordinary reads use: `(jsonb_each(x)).key`. PostgreSQL reads `(value).name`
 * as a call of the function `name` too, so any other name is held.
 */
export function pgFieldNames(): ReadonlySet<string> {
  return words(`key value n x word ndoc nentry lexeme positions weights ordinality ordinal row_number
    relid parentrelid isleaf level grantor grantee privilege_type is_grantable option_name option_value
    tokid token catcode dictionaries f1 f2 f3 f4 f5 f6 f7 f8 f9 id name`);
}

/** Built-in types, and those of common extensions. A domain or another type may run code when a value is cast. */
export function pgTypes(): ReadonlySet<string> {
  return words(
    TYPES_AS_FUNCTIONS,
    `boolean integer smallint bigint real decimal string serial xid xid8 cid tid oidvector int2vector regproc regprocedure
    regoper regoperator regcollation regtype regrole regnamespace regconfig regdictionary pg_lsn pg_snapshot
    txid_snapshot tsvector tsquery jsonpath record unknown aclitem bool float refcursor pg_node_tree
    citext hstore ltree lquery ltxtquery vector halfvec sparsevec geometry geography box2d box3d
    sql_identifier cardinal_number character_data yes_or_no time_stamp`,
  );
}

/** Operators of PostgreSQL, pg_trgm, hstore, ltree, pgvector and PostGIS. */
export function pgOperators(): ReadonlySet<string> {
  return words(`-> = *= - ^@ !~~* ~>~ <> <<| *<> | |>> ? < && ?& @@ <<= & *<= !~~ ~= #> || |&> ->> ?|| <^ -|- @> * <<
    ~<=~ >> ~ ## *> ?# ~* &> ^ ?-| % !~ #- # ?| ||/ ?- *>= >^ @@@ ~<~ !~* |/ ~>=~ > >>= &< !! >= &<| <@ <-> / <= +
    *< @-@ @ ~~* #>> ~~ @? != <% %> <<% %>> <<-> <->> <<<-> <->>> <#> <=> <+> <~> <%> ~== &&& |=| ?@> ?<@ ?~ @`);
}

/** Catalog relations that show passwords or the server's files. */
export function pgSecretRelations(): ReadonlySet<string> {
  return words(`pg_authid pg_shadow pg_user_mapping pg_user_mappings pg_hba_file_rules pg_ident_file_mappings
    pg_file_settings pg_largeobject pg_subscription pg_statistic`);
}

/** System columns: `tableoid = 1234` holds for every row of a table. */
export function pgSystemColumns(): ReadonlySet<string> {
  return words('tableoid xmin xmax cmin cmax ctid');
}

/** Functions by name that an attribute (`f.pg_read_file` with `f` a function in FROM) may call. */
export const PG_FUNCTION_LIKE =
  /^(pg_|lo_|dblink|txid_|binary_upgrade_|query_to_|table_to_|cursor_to_|schema_to_|database_to_|ts_stat$|ts_rewrite$|currtid|loread$|lowrite$|nextval$|setval$|set_config$|setseed$|xslt_|crosstab|connectby|http)/;
