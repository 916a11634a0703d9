import type { SqlDialect } from './types.ts';

/**
 * Functions that only read, by hand from each product's reference. Names in lower case. Left out on purpose:
 * everything that reads or writes files or URLs, runs SQL from a string, waits, locks, changes a session or a
 * sequence, calls a model or another server.
 */
const COMMON = `
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
  split_part to_char to_date to_timestamp to_number soundex sha1 sha256 sha512 date_trunc date_part age tanh sinh cosh`;

const MYSQL = `
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
  weekday weekofyear weight_string yearweek json_table`;

const SQLITE = `
  bm25 changes char date datetime format glob group_concat hex highlight iif instr json json_array_length json_each
  json_error_position json_extract json_group_array json_group_object json_insert json_patch json_pretty json_quote
  json_remove json_replace json_set json_tree json_type json_valid jsonb jsonb_array jsonb_extract jsonb_object julianday
  last_insert_rowid like likelihood likely unlikely printf quote random randomblob snippet sqlite_compileoption_get
  sqlite_compileoption_used sqlite_source_id sqlite_version strftime time timediff total total_changes typeof unhex
  unicode unixepoch zeroblob octet_length matchinfo offsets`;

const MSSQL = `
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
  type_name typeproperty unicode user_id user_name var varp xact_state atn2 cot datetimeoffsetfromparts`;

const BIGQUERY = `
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
  net.safe_ip_from_string hll_count.init hll_count.merge hll_count.extract hll_count.merge_partial`;

const SNOWFLAKE = `
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
  bitshiftleft bitshiftright hll epoch date_mktime time_bucket array_generate_range reduce filter transform`;

const DUCKDB = `
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
  to_timestamp list_any_value apply any_value array_agg date_bin isoweek timetz_byte_comparable get_bit set_bit`;

const CLICKHOUSE = `
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
  l2norm arraycosinedistance deltasum boundingratio simplelinearregression intervallengthsum mannwhitneyutest`;

const ORACLE = `
  approx_count_distinct ascii asciistr bin_to_num bitand cardinality chartorowid collect compose convert
  current_schema dbtimezone decode decompose dump empty_blob empty_clob existsnode extractvalue from_tz group_id
  grouping_id hextoraw lag length2 length4 lengthb listagg lnnvl localtimestamp months_between nanvl new_time next_day
  nls_charset_id nls_charset_name nls_initcap nls_lower nls_upper nlssort numtodsinterval numtoyminterval ora_hash powermultiset
  ratio_to_report rawtohex rawtonhex remainder rowidtochar scn_to_timestamp sessiontimezone standard_hash
  stats_mode substrb sys_connect_by_path sys_context sys_extract_utc sys_guid sys_typeid sysdate systimestamp timestamp_to_scn
  to_binary_double to_binary_float to_clob to_dsinterval to_lob to_multi_byte to_nchar to_nclob to_single_byte to_timestamp_tz
  to_yminterval tz_offset uid unistr userenv validate_conversion vsize width_bucket wm_concat xmlagg xmlelement
  xmlforest xmlserialize json_mergepatch json_serialize json_equal json_dataguide`;

/** Functions that may stand as a table: everything else in FROM with arguments is held. */
const TABLE_FUNCTIONS: Readonly<Record<Exclude<SqlDialect, 'postgresql'>, string>> = {
  mysql: 'json_table',
  sqlite: `json_each json_tree generate_series pragma_table_info pragma_table_xinfo pragma_index_list pragma_index_info
    pragma_index_xinfo pragma_foreign_key_list pragma_table_list pragma_database_list pragma_function_list
    pragma_collation_list pragma_compile_options pragma_module_list pragma_pragma_list`,
  mssql: 'string_split openjson generate_series',
  bigquery: 'unnest',
  snowflake: 'flatten generator split_to_table strtok_split_to_table result_scan',
  duckdb: `range generate_series unnest json_each json_tree duckdb_columns duckdb_constraints duckdb_databases
    duckdb_indexes duckdb_schemas duckdb_settings duckdb_tables duckdb_types duckdb_views pragma_table_info
    regexp_split_to_table`,
  clickhouse: 'numbers numbers_mt zeros one generate_series values',
  oracle: 'json_table xmltable',
};

const FUNCTIONS: Readonly<Record<Exclude<SqlDialect, 'postgresql'>, string>> = {
  mysql: MYSQL,
  sqlite: SQLITE,
  mssql: MSSQL,
  bigquery: BIGQUERY,
  snowflake: SNOWFLAKE,
  duckdb: DUCKDB,
  clickhouse: CLICKHOUSE,
  oracle: ORACLE,
};

/** Types by name that the parser does not know itself. */
const TYPES = `varchar2 nvarchar2 number binary_float binary_double raw rowid urowid clob nclob blob long xmltype sdo_geometry
  variant object array geography geometry money smallmoney uniqueidentifier sysname hierarchyid xml rowversion sql_variant
  datetime2 datetimeoffset smalldatetime image ntext text tinytext mediumtext longtext hugeint uhugeint utinyint usmallint uinteger
  ubigint timestamp_s timestamp_ms timestamp_ns timestamp_ltz timestamp_ntz timestamp_tz timestamptz time_ntz decimal32 decimal64
  decimal128 decimal256 uuid ipv4 ipv6 json jsonb bignumeric bigdecimal string number float64 int64 bytes bool integer int real
  double numeric bit bitstring signed unsigned char year struct map enum date time timestamp datetime vector super`;

export type OtherDialect = Exclude<SqlDialect, 'postgresql'>;

export interface OtherFunctions {
  scalar: ReadonlySet<string>;
  table: ReadonlySet<string>;
  types: ReadonlySet<string>;
}

/** The lists of one dialect. */
export function otherFunctions(dialect: OtherDialect): OtherFunctions {
  const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/));
  return {
    scalar: words(`${COMMON} ${FUNCTIONS[dialect]}`),
    table: words(TABLE_FUNCTIONS[dialect]),
    types: words(TYPES),
  };
}

/** Endings that change how an aggregate of ClickHouse counts: `sumIf`, `uniqArray`. */
export const CLICKHOUSE_ENDINGS = /(if|array|map|ornull|ordefault|distinct|foreach|merge|state|resample)$/;
