import { sep } from 'node:path'
import type { Caller } from '../../kernel/auth/caller.ts'
import { afterCommit, transaction } from '../../kernel/db/transaction.ts'
import { invalidRequest } from '../../kernel/errors/refusal.ts'
import { findFolder } from '../../kernel/files/find-folder.ts'
import { redactContent } from '../../kernel/redaction/redact-content.ts'
import {
  type Connector,
  folderSettings,
  type Provider,
  readFolderSettings,
  syncJob,
  toSubject,
} from './connector.ts'
import { connectorChanged } from './events.ts'
import type { ConnectorsNeeds } from './needs.ts'
import { connectorNotFound, notSupported, tooManyConnectors } from './refusals.ts'
import {
  beginSync,
  changeConnector,
  countByStatus,
  deleteConnector,
  findConnector,
  insertConnector,
  listConnectors,
} from './store.ts'

const maxConnectors = 200
/** Documents deleted between two reads. */
const batchSize = 100

export interface NewConnector {
  readonly provider: Provider
  readonly displayName: string | undefined
  readonly settings: Readonly<Record<string, unknown>>
}

/** Stores a connector. It reads nothing before its first sync. */
export async function createConnector(
  needs: ConnectorsNeeds,
  { agentId }: Caller,
  { provider, displayName, settings }: NewConnector,
): Promise<string> {
  const stored = await toSettings(needs, provider, settings)
  const now = needs.host.now().toISOString()
  const connector: Connector = {
    id: needs.host.newId(),
    agentId,
    project: typeof stored['project'] === 'string' ? stored['project'] : null,
    provider,
    displayName: displayName ?? provider,
    settingsJson: JSON.stringify(stored),
    enabled: 1,
    cursorAt: null,
    status: 'idle',
    lastSyncAt: null,
    lastError: null,
    createdAt: now,
    updatedAt: now,
  }
  await transaction(needs.db, async (db) => {
    const counts = await countByStatus(db)
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    if (total >= maxConnectors) throw tooManyConnectors(maxConnectors)
    await insertConnector(db, connector)
    afterCommit(db, () => emit(needs, connector, 'idle'))
  })
  return connector.id
}

/** The path of a folder is stored unchanged; other texts are redacted. */
async function toSettings(
  { home }: ConnectorsNeeds,
  provider: Provider,
  settings: NewConnector['settings'],
): Promise<Readonly<Record<string, unknown>>> {
  if (provider !== 'filesystem') return redactContent(settings, 'redact').value
  const rootPath = await findFolder(String(settings['rootPath']), home, 'rootPath')
  return folderSettings.parse({ ...settings, rootPath })
}

export async function listAll({ db }: ConnectorsNeeds, caller: Caller) {
  return listConnectors(db, caller)
}

/** Refuses `not_found`. */
export async function readConnector(
  { db }: ConnectorsNeeds,
  caller: Caller,
  id: string,
): Promise<Connector> {
  const connector = await findConnector(db, caller, id)
  if (!connector) throw connectorNotFound()
  return connector
}

export async function readHealth(needs: ConnectorsNeeds, caller: Caller, id: string) {
  const { status, lastSyncAt, lastError } = await readConnector(needs, caller, id)
  const documentCount = await needs.documents.connectorFiles.count(id)
  return { id, status, lastSyncAt, lastError, documentCount }
}

export type SyncMode = 'incremental' | 'full'

interface SyncRequest {
  readonly id: string
  readonly mode: SyncMode
  /** False refuses. */
  readonly confirm?: boolean
}

/** Queues a sync. Returns false while one runs. Refuses a provider without a sync. */
export async function syncConnector(
  needs: ConnectorsNeeds,
  caller: Caller,
  { id, mode, confirm = true }: SyncRequest,
): Promise<boolean> {
  if (!confirm) throw invalidRequest('A full sync requires confirm=true.')
  const connector = await readConnector(needs, caller, id)
  if (connector.provider !== 'filesystem') throw notSupported(connector.provider)
  return queueSync(needs, connector, mode)
}

/** Queues a sync of each connector of the agent that has one. */
export async function syncAll(needs: ConnectorsNeeds, caller: Caller) {
  const connectors = await listConnectors(needs.db, caller)
  const supported = connectors.filter(({ provider }) => provider === 'filesystem')
  const queued: string[] = []
  for (const connector of supported)
    if (await queueSync(needs, connector, 'incremental')) queued.push(connector.id)
  return { queued, total: connectors.length }
}

async function queueSync(
  needs: ConnectorsNeeds,
  connector: Connector,
  mode: SyncMode,
): Promise<boolean> {
  const { id, agentId } = connector
  return transaction(needs.db, async (db) => {
    const updatedAt = needs.host.now().toISOString()
    const cursor = mode === 'full' ? { cursorAt: null } : {}
    if (!(await beginSync(db, id, { updatedAt, ...cursor }))) return false
    // A job that a killed daemon has leased would hold up this one until its lease ends.
    await needs.jobs.cancel(db, { subject: toSubject(id), agentId })
    await needs.jobs.enqueue(db, {
      kind: syncJob,
      payload: { connectorId: id, mode },
      dedupeKey: id,
      agentId,
      subject: toSubject(id),
    })
    afterCommit(db, () => emit(needs, connector, 'syncing'))
    return true
  })
}

/** Deletes a connector; with `cascade` also the documents below its folder. May be repeated. */
export async function removeConnector(
  needs: ConnectorsNeeds,
  caller: Caller,
  { id, cascade }: { readonly id: string; readonly cascade: boolean },
): Promise<void> {
  const connector = await readConnector(needs, caller, id)
  await transaction(needs.db, async (db) => {
    // From here on no sync of this connector adds a document.
    const disabled = {
      enabled: 0,
      status: 'idle',
      updatedAt: needs.host.now().toISOString(),
    } as const
    await changeConnector(db, id, disabled)
    await needs.jobs.cancel(db, { subject: toSubject(id), agentId: connector.agentId })
  })
  if (cascade && connector.provider === 'filesystem') await removeDocuments(needs, connector)
  await transaction(needs.db, async (db) => {
    if (await deleteConnector(db, id)) afterCommit(db, () => emit(needs, connector, 'deleted'))
  })
}

async function removeDocuments(needs: ConnectorsNeeds, connector: Connector): Promise<void> {
  const { connectorFiles } = needs.documents
  const folder = toPrefix(readFolderSettings(connector).rootPath)
  for (let after = ''; ; ) {
    const files = await connectorFiles.listUnder(connector, { folder, after, limit: batchSize })
    for (const file of files)
      await transaction(needs.db, (db) => connectorFiles.remove(db, file, 'Connector removed'))
    const last = files.at(-1)
    if (!last) return
    after = last.id
  }
}

/** What the paths below a folder begin with. */
export function toPrefix(root: string): string {
  return root.endsWith(sep) ? root : `${root}${sep}`
}

function emit(
  { events }: Pick<ConnectorsNeeds, 'events'>,
  { id, agentId, project }: Connector,
  status: Connector['status'] | 'deleted',
): void {
  events.emit(connectorChanged, { id, agentId, project, status })
}
