import { afterCommit, transaction } from '../../../kernel/db/transaction.ts'
import { hasCode, messageOf } from '../../../kernel/errors/system-error.ts'
import type { PayloadOf } from '../../../kernel/events/events.ts'
import { pipelineFailed } from '../../../kernel/events/pipeline-failure.ts'
import type { JobKind, Task } from '../../../kernel/jobs/kind.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { type Connector, syncJob } from '../connector.ts'
import { connectorChanged, connectorSynced } from '../events.ts'
import type { ConnectorsNeeds } from '../needs.ts'
import { changeConnector, findById } from '../store.ts'
import { ConnectorRemoved, type SyncTally, syncFolder } from './sync-folder.ts'

const concurrency = 2
const maxPending = 1_000
/** Covers a folder whose files wait for the queue of documents. */
const timeoutMs = 21_600_000
const maxErrorLength = 2_000

export function createSyncJob(needs: ConnectorsNeeds): JobKind {
  return { kind: syncJob, concurrency, maxPending, timeoutMs, run: (task) => sync(needs, task) }
}

/** Reads the folder of a connector. A fault is stored with it; the job is not repeated. */
async function sync(needs: ConnectorsNeeds, { payload, signal }: Task): Promise<void> {
  const { connectorId, mode } = Object(payload) as { connectorId?: unknown; mode?: unknown }
  const connector = await findById(needs.db, String(connectorId))
  if (connector?.enabled !== 1) return
  const startedAt = needs.host.now().toISOString()
  // A daemon that starts again has reset the status.
  await finish(needs, connector, { status: 'syncing', updatedAt: startedAt })
  try {
    const tally = await syncFolder(needs, {
      connector,
      mode: mode === 'full' ? 'full' : 'incremental',
      signal,
    })
    const now = needs.host.now().toISOString()
    await finish(needs, connector, {
      status: 'idle',
      cursorAt: startedAt,
      lastSyncAt: now,
      lastError: describe(tally),
      updatedAt: now,
    })
    report(needs, connector, { failure: null, documents: tally.added + tally.changed })
  } catch (error) {
    if (error instanceof ConnectorRemoved) return
    if (signal.aborted) throw error
    needs.log.warn({ err: error, connector: connector.id }, 'connector sync failed')
    const updatedAt = needs.host.now().toISOString()
    const lastError = explain(connector, error)
    await finish(needs, connector, { status: 'error', lastError, updatedAt })
    report(needs, connector, { failure: isDenied(error) ? 'auth' : 'sync', documents: 0 })
  }
}

function report(
  { events }: ConnectorsNeeds,
  { id, agentId }: Connector,
  outcome: Pick<PayloadOf<typeof connectorSynced>, 'failure' | 'documents'>,
): void {
  events.emit(connectorSynced, { id, agentId, ...outcome })
  if (outcome.failure === null) return
  const isAuth = outcome.failure === 'auth'
  events.emit(pipelineFailed, {
    code: isAuth ? 'CONNECTOR_AUTH_FAIL' : 'CONNECTOR_SYNC_FAIL',
    agentId,
  })
}

function isDenied(error: unknown): boolean {
  return hasCode(error, 'EACCES') || hasCode(error, 'EPERM')
}

async function finish(
  { db, events }: ConnectorsNeeds,
  { id, agentId, project }: Connector,
  set: Partial<Connector> & Pick<Connector, 'status' | 'updatedAt'>,
): Promise<void> {
  await transaction(db, async (db) => {
    if (await changeConnector(db, id, set))
      afterCommit(db, () =>
        events.emit(connectorChanged, { id, agentId, project, status: set.status }),
      )
  })
}

/** Null for a sync without failures. */
function describe({ failures, problems }: SyncTally): string | null {
  if (failures === 0) return null
  const rest = failures - problems.length
  const more = rest > 0 ? [`and ${rest} more`] : []
  return toCleanText([...problems, ...more].join('; ').slice(0, maxErrorLength))
}

function explain({ settingsJson }: Connector, error: unknown): string {
  const { rootPath } = Object(JSON.parse(settingsJson)) as { readonly rootPath?: unknown }
  if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR'))
    return `The folder ${String(rootPath)} does not exist. Its documents stay.`
  if (isDenied(error))
    return `The folder ${String(rootPath)} cannot be read. Give the user of the service read access.`
  const message = messageOf(error)
  return toCleanText(message.slice(0, maxErrorLength))
}
