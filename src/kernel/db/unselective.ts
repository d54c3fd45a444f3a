/** Rows that the planner of SQLite assumes for a table. */
const assumedRows = 1_048_576

/**
 * Statements for SQLite. Without statistics, its planner assumes that an index finds ten rows. It
 * would prefer an index on the agent to a list of ids, although most databases have one agent.
 */
export function markUnselective(indexes: Readonly<Record<string, string>>): readonly string[] {
  const inserts = Object.entries(indexes).map(
    ([index, table]) =>
      `insert into sqlite_stat1 (tbl, idx, stat)
         values ('${table}', '${index}', '${assumedRows} ${assumedRows}')`,
  )
  // The first statement creates the table, and the last one loads it.
  return ['analyze sqlite_schema', ...inserts, 'analyze sqlite_schema']
}
