import { type DomainCheck, toFindings } from '../../kernel/capability/domain.ts'
import type { Db } from '../../kernel/db/database.ts'
import { toCount } from '../../kernel/errors/to-count.ts'
import { type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { Host } from '../../kernel/host/host.ts'
import { countByStatus, findOldestFailed } from './store.ts'

/** Connectors by the state of their last sync. A failed one never makes the service unready. */
export function connectorsHealth({ background }: { readonly background: Db }): HealthCheck {
  return {
    name: 'connectors',
    check: async () => {
      const { idle, syncing, error } = await readCounts(background)
      const reasons = [
        error > 0 &&
          `the last sync of ${toCount(error, 'connector')} failed: see reverie connectors`,
      ]
      return toHealth(reasons, { idle, syncing, error })
    },
  }
}

/** A failure that lasts longer costs more. */
const oldErrorMs = 86_400_000
const hourMs = 3_600_000

interface DomainNeeds {
  readonly background: Db
  readonly host: Pick<Host, 'now'>
}

export function connectorDomain({ background, host }: DomainNeeds): DomainCheck {
  return {
    domain: 'connector',
    weight: 0.05,
    check: async () => {
      const { idle, syncing, error } = await readCounts(background)
      const oldest = error > 0 ? await findOldestFailed(background) : undefined
      const oldestErrorAge = oldest
        ? Math.max(0, host.now().getTime() - Date.parse(oldest.updatedAt))
        : 0
      const id = oldest?.id ?? ''
      const fix = {
        command: `reverie connector sync ${id}`,
        route: `POST /api/connectors/${id}/sync`,
      }
      const hours = Math.floor(oldestErrorAge / hourMs)
      const connectorCount = idle + syncing + error
      return {
        fields: {
          configured: connectorCount > 0,
          connectorCount,
          syncingCount: syncing,
          errorCount: error,
          oldestErrorAge,
        },
        findings: toFindings([
          oldest !== undefined && {
            code: 'connector_failed',
            penalty: 0.3,
            detail: `the last sync of ${toCount(error, 'connector')} failed`,
            fix,
          },
          oldestErrorAge > oldErrorMs && {
            code: 'connector_failing_long',
            penalty: 0.2,
            detail: `the connector ${id} has failed for ${hours} hours`,
            fix,
          },
        ]),
      }
    },
  }
}

async function readCounts(db: Db) {
  const counts = await countByStatus(db)
  const read = (status: 'idle' | 'syncing' | 'error') => counts.get(status) ?? 0
  return { idle: read('idle'), syncing: read('syncing'), error: read('error') }
}
