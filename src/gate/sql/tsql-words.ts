/**
 * Words that start a statement of Transact-SQL. The language needs no semicolon, so `SELECT 1 SHUTDOWN` is two
 * statements where other parsers see an alias. Source: Transact-SQL reference, statements and reserved keywords.
 */
const STATEMENTS = new Set(
  `ALTER BACKUP BEGIN BREAK BULK CHECKPOINT CLOSE COMMIT CONTINUE CREATE DBCC DEALLOCATE DECLARE DENY DISABLE DROP
  DUMP ENABLE EXEC EXECUTE GET GO GOTO GRANT IF KILL LINENO LOAD MERGE MOVE OPEN PRINT RAISERROR READTEXT RECEIVE
  RECONFIGURE RESTORE RETURN REVERT REVOKE ROLLBACK SAVE SEND SETUSER SHUTDOWN THROW TRUNCATE UPDATETEXT USE
  WAITFOR WHILE WRITETEXT DELETE INSERT UPDATE ADD`.split(/\s+/),
);

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
