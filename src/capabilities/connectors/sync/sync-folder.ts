import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { transaction } from '../../../kernel/db/transaction.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { FolderSettings } from '../connector.ts'
import { type Connector, readFolderSettings } from '../connector.ts'
import { type SyncMode, toPrefix } from '../manage.ts'
import type { ConnectorsNeeds } from '../needs.ts'
import { changeConnector } from '../store.ts'
import { isUnreadable, type ListedFile, listFiles } from './list-files.ts'

/** Files whose documents are looked up together. */
const batchSize = 100
const maxFiles = 100_000
const maxProblems = 20
/** Bytes that decide whether a file is text. */
const probeBytes = 8_192
/** Formats whose files contain NUL, and whose text is extracted. */
const binaryFormats = /\.(pdf|docx?|docm|odt|odp|ods|pptx?|ppsx|epub|xlsx?|xlsm)$/i
const queueRetryMs = 1_000
/** File systems round the time of a change, FAT to two seconds: such a file may look older than the last sync. */
const timeRoundingMs = 2_000

/** What a sync did with the files of a folder. */
export interface SyncTally {
  added: number
  changed: number
  removed: number
  skipped: number
  /** The first failures of files. */
  readonly problems: string[]
  failures: number
}

/** The connector was deleted during its sync. */
export class ConnectorRemoved extends Error {}

interface Sync {
  readonly connector: Connector
  readonly settings: FolderSettings
  readonly mode: SyncMode
  readonly tally: SyncTally
  readonly signal: AbortSignal
}

/** Registers the new and changed files of a folder; a full sync also removes what vanished. */
export async function syncFolder(
  needs: ConnectorsNeeds,
  { connector, mode, signal }: Pick<Sync, 'connector' | 'mode' | 'signal'>,
): Promise<SyncTally> {
  const tally = { added: 0, changed: 0, removed: 0, skipped: 0, problems: [], failures: 0 }
  const sync = { connector, mode, signal, tally, settings: readFolderSettings(connector) }
  const listedPaths = new Set<string>()
  const unreadable: string[] = []
  let batch: ListedFile[] = []
  const flush = async () => {
    await syncBatch(needs, sync, batch)
    batch = []
  }
  for await (const file of listFiles(sync.settings, unreadable)) {
    signal.throwIfAborted()
    if (listedPaths.size >= maxFiles)
      throw new Error(`The folder has more than ${maxFiles} files. Narrow the patterns.`)
    listedPaths.add(file.path)
    batch.push(file)
    if (batch.length === batchSize) await flush()
  }
  await flush()
  for (const path of unreadable) addProblem(tally, `${path} cannot be read`)
  if (mode === 'full') await removeVanished(needs, sync, { seenPaths: listedPaths, unreadable })
  return tally
}

async function syncBatch(
  needs: ConnectorsNeeds,
  sync: Sync,
  files: readonly ListedFile[],
): Promise<void> {
  const { connector, mode, settings, tally, signal } = sync
  const paths = files.map(({ path }) => path)
  const stored = await needs.documents.connectorFiles.find(connector, paths)
  const knownToMs =
    connector.cursorAt === null ? 0 : Date.parse(connector.cursorAt) - timeRoundingMs
  for (const file of files) {
    signal.throwIfAborted()
    // A file that was moved into the folder has an old time.
    const isKnown = stored.has(file.path) && file.mtimeMs <= knownToMs
    if (isKnown && mode === 'incremental') continue
    if (file.size === 0 || file.size > settings.maxFileSize) tally.skipped += 1
    else await syncFile(needs, sync, file)
  }
}

async function syncFile(needs: ConnectorsNeeds, sync: Sync, { path }: ListedFile): Promise<void> {
  const { tally, settings } = sync
  let bytes: Buffer
  try {
    bytes = await readBytes(path, settings.maxFileSize)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    addProblem(tally, `${path} cannot be read`)
    return
  }
  if (bytes.length === 0 || bytes.length > settings.maxFileSize || isBinary(path, bytes)) {
    tally.skipped += 1
    return
  }
  const saved = await saveWhenFree(needs, sync, { path, fileName: basename(path), bytes })
  if (saved !== 'unchanged') tally[saved] += 1
}

/** Reads one byte above the limit, to detect a file that has grown. */
async function readBytes(path: string, maxBytes: number): Promise<Buffer> {
  // A link that took the place of the file is not followed.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { size } = await handle.stat()
    const buffer = Buffer.alloc(Math.min(size, maxBytes) + 1)
    let length = 0
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
      if (bytesRead === 0) return buffer.subarray(0, length)
      length += bytesRead
    }
  } finally {
    await handle.close()
  }
}

function isBinary(path: string, bytes: Buffer): boolean {
  return !binaryFormats.test(path) && bytes.subarray(0, probeBytes).includes(0)
}

interface ReadFile {
  readonly path: string
  readonly fileName: string
  readonly bytes: Buffer
}

/** Waits while the maximum number of documents is queued. */
async function saveWhenFree(needs: ConnectorsNeeds, sync: Sync, file: ReadFile) {
  const { connector, mode, signal } = sync
  const { connectorFiles } = needs.documents
  const options = { owner: connector, force: mode === 'full' }
  for (;;) {
    try {
      return await transaction(needs.db, async (db) => {
        await assertActive(needs, db, connector)
        return connectorFiles.save(db, file, options)
      })
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'queue_full')) throw error
      await needs.host.sleep(queueRetryMs, signal)
    }
  }
}

async function assertActive(
  { host }: ConnectorsNeeds,
  db: ConnectorsNeeds['db'],
  { id }: Connector,
): Promise<void> {
  const isActive = await changeConnector(db, id, { updatedAt: host.now().toISOString() })
  if (!isActive) throw new ConnectorRemoved()
}

interface Listing {
  readonly seenPaths: ReadonlySet<string>
  readonly unreadable: readonly string[]
}

/** Files below an unreadable folder are not deleted. */
async function removeVanished(
  needs: ConnectorsNeeds,
  { connector, settings, tally, signal }: Sync,
  { seenPaths, unreadable }: Listing,
): Promise<void> {
  const { connectorFiles } = needs.documents
  const folder = toPrefix(settings.rootPath)
  const hidden = unreadable.map(toPrefix)
  for (let after = ''; ; ) {
    signal.throwIfAborted()
    const page = { folder, after, limit: batchSize, connectorId: connector.id }
    const files = await connectorFiles.listUnder(connector, page)
    for (const file of files) {
      if (seenPaths.has(file.path) || hidden.some((prefix) => file.path.startsWith(prefix)))
        continue
      await transaction(needs.db, async (db) => {
        await assertActive(needs, db, connector)
        await connectorFiles.remove(db, file, 'The file is gone')
      })
      tally.removed += 1
    }
    const last = files.at(-1)
    if (!last) return
    after = last.id
  }
}

function addProblem(tally: SyncTally, problem: string): void {
  tally.failures += 1
  if (tally.problems.length < maxProblems) tally.problems.push(problem)
}
