import type { DiagnosticsNeeds } from './needs.ts'
import { findDamage, listTables } from './store.ts'

export interface Integrity {
  readonly state: 'ok' | 'unknown' | 'corrupt' | 'unavailable'
  readonly checkedAt?: string
  readonly detail?: string
}

export interface IntegrityCheck {
  found(): Integrity
  /** Table by table; stopping ends it after the one at hand. Does nothing for a server. */
  run(): Promise<void>
}

type Needs = Pick<DiagnosticsNeeds, 'background' | 'host' | 'log' | 'self'>

export function createIntegrityCheck({ background: db, host, log, self }: Needs): IntegrityCheck {
  const isServer = self.engine === 'postgres'
  const detail = isServer ? 'the database server checks its own pages' : 'not checked yet'
  const state: { found: Integrity } = { found: { state: 'unknown', detail } }
  const settle = (found: Integrity): void => {
    state.found = { ...found, checkedAt: host.now().toISOString() }
    if (found.state !== 'ok') log.error(found, 'the database is damaged, or could not be checked')
  }
  const checkTables = async (): Promise<void> => {
    for (const table of await listTables(db)) {
      if (self.stopping()) return
      const detail = await findDamage(db, table)
      if (detail !== undefined) return settle({ state: 'corrupt', detail: `${table}: ${detail}` })
    }
    settle({ state: 'ok' })
  }
  return {
    found: () => state.found,
    run: async () => {
      if (isServer) return
      try {
        await checkTables()
      } catch (error) {
        // Stopping closes the database under a check that still waits for its turn.
        if (self.stopping()) return
        const detail = error instanceof Error ? error.message : String(error)
        settle({ state: 'unavailable', detail })
      }
    },
  }
}
