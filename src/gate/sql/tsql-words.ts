/**
 * Words that start a statement of Transact-SQL. The language needs no semicolon, so `SELECT 1 SHUTDOWN` is two
 * statements where other parsers see an alias. Source: Transact-SQL reference, statements and reserved keywords.
 */
const STATEMENTS = new Set(
  `ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE DENY DROP
  DUMP EXEC EXECUTE GOTO GRANT IF KILL LINENO LOAD MERGE OPEN PRINT RAISERROR READTEXT
  RECONFIGURE RESTORE RETURN REVERT REVOKE ROLLBACK SAVE SETUSER SHUTDOWN TRUNCATE UPDATETEXT USE
  WAITFOR WHILE WRITETEXT DELETE INSERT UPDATE`.split(/\s+/),
);

/** Words that start a statement and may also name a column: held where an alias can stand. */
const UNRESERVED = new Set('ADD DISABLE ENABLE GET GO MOVE RECEIVE SEND THROW'.split(' '));

/** Words after which an expression starts, so that a name there is no alias. */
const OPENERS =
  /^(SELECT|DISTINCT|ALL|TOP|WHERE|AND|OR|NOT|BY|ON|CASE|WHEN|THEN|ELSE|FROM|JOIN|APPLY|IN|LIKE|BETWEEN|HAVING|SET|AS|IS|INTO)$/;

/** The word that starts a second statement in the code of a text (strings and comments taken out), or undefined. */
export function tsqlSeveral(code: string): string | undefined {
  const tokens = code.match(/[\p{L}_@#$][\p{L}\p{N}_@#$]*|[0-9.]+|'s'|"i"|\S/gu) ?? [];
  const verb = tokens.find((token) => /^\p{L}/u.test(token))?.toUpperCase();
  let started = false;
  let depth = 0;
  let selects = 0;
  let joined = 0;
  let sets = 0;
  for (const [index, token] of tokens.entries()) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    const word = token.toUpperCase();
    const before = tokens[index - 1]?.toUpperCase() ?? '';
    const after = tokens[index + 1] ?? '';
    if (!/^\p{L}/u.test(word) || before === '.') continue;
    if (started && STATEMENTS.has(word) && before !== 'AS') return word;
    const ended = /^('s'|"i"|\)|[0-9.]+|[\p{L}_@#$].*)$/u.test(before) && !OPENERS.test(before);
    if (ended && (UNRESERVED.has(word) || (word === 'END' && after.toUpperCase() === 'CONVERSATION')))
      return word;
    if (word === 'SET') {
      sets += 1;
      if (verb !== 'UPDATE' || sets > 1) return started ? word : undefined;
    }
    if (word === 'WITH' && started && after !== '(') return word;
    if (word === 'FETCH' && started && before !== 'ROWS' && before !== 'ROW') return word;
    if (depth === 0 && word === 'SELECT') selects += 1;
    if (depth === 0 && /^(UNION|EXCEPT|INTERSECT)$/.test(word)) joined += 1;
    started = true;
  }
  return selects - joined > 1 ? 'SELECT' : undefined;
}
