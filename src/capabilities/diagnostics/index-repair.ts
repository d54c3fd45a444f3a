import type { RepairAction } from '../../kernel/capability/repair.ts'
import type { DiagnosticsNeeds } from './needs.ts'
import { listTables, rebuildIndexes } from './store.ts'

/** Rebuilds the indexes of the database, one table in each slice. */
export function createIndexRepair({
  background,
}: Pick<DiagnosticsNeeds, 'background'>): RepairAction {
  return {
    name: 'rebuild-indexes',
    run: async ({ cursor, dryRun, save }) => {
      const tables = await listTables(background)
      const rest = tables.filter((table) => table > String(cursor ?? ''))
      const [table] = rest
      if (dryRun || table === undefined)
        return { affected: 0, next: null, counts: { tables: rest.length } }
      const next = rest.length > 1 ? table : null
      return save(async (db) => {
        await rebuildIndexes(db, table)
        return { affected: 0, next, counts: { tables: 1 } }
      })
    },
    describe: ({ counts, dryRun }) =>
      `${dryRun ? 'Would rebuild' : 'Rebuilt'} the indexes of ${counts['tables'] ?? 0} tables.`,
  }
}
