import { setImmediate as nextTick } from 'node:timers/promises'
import type { z } from 'zod'
import type { Caller } from '../../../kernel/auth/caller.ts'
import { assertAllProjects } from '../../../kernel/auth/permission.ts'
import { afterCommit, transaction } from '../../../kernel/db/transaction.ts'
import { toCleanText } from '../../../kernel/redaction/clean-text.ts'
import { redactContent } from '../../../kernel/redaction/redact-content.ts'
import type { snapshotArtifact, snapshotBody } from '../file-schemas.ts'
import { findOwn, type ManageNeeds } from '../manage.ts'
import type { SourcesOptions } from '../needs.ts'
import { invalid, sourcesRefusal } from '../refusals.ts'
import {
  batchItems,
  normalizeText,
  type PreparedItem,
  prepareRow,
  removeRow,
  saveRows,
} from '../runs/index-item.ts'
import { isActive } from '../runs/job.ts'
import { hashOf, ownerOf, type SourceEntry } from '../source.ts'
import { findOtherOwner, listPaths } from '../store/artifacts.ts'
import type { ArtifactRow } from '../store/rows.ts'
import { isLocalChat } from './export-snapshot.ts'

type Snapshot = z.output<typeof snapshotBody>
type WireArtifact = z.output<typeof snapshotArtifact>

export interface SnapshotNeeds
  extends ManageNeeds,
    Pick<SourcesOptions, 'host' | 'engine' | 'extractor' | 'graph' | 'evidenceDependants'> {}

interface ImportRequest {
  readonly sourceId: string
  readonly includeLocalChat: boolean
  readonly snapshot: Snapshot
}

/** Artifacts that are checked before other work gets a turn. */
const turnSize = 50
const pageSize = 500

/**
 * Replaces the artifacts of a source by those of a snapshot, in one transaction. Everything is
 * checked before the first write. Refuses `snapshot_busy` during a run or a deletion.
 */
export async function importSnapshot(
  needs: SnapshotNeeds,
  caller: Caller,
  { sourceId, includeLocalChat, snapshot }: ImportRequest,
) {
  assertAllProjects({ caller })
  const source = await findOwn(needs, caller, sourceId)
  await assertIdle(needs, source)
  assertSame(source, snapshot)
  const prepared: PreparedItem[] = []
  let localChatArtifacts = 0
  for (const [at, artifact] of snapshot.artifacts.entries()) {
    if (at % turnSize === 0) await nextTick()
    const row = toRow(needs, source, artifact)
    if (includeLocalChat || !isLocalChat(row))
      prepared.push(await prepareArtifact(needs, source, row))
    else localChatArtifacts += 1
  }
  await assertIdle(needs, source)
  await replaceRows(needs, source, { prepared, includeLocalChat })
  await needs.registry.update(source, { lastIndexedAt: needs.host.now().toISOString() })
  return { ok: true as const, imported: prepared.length, skipped: { localChatArtifacts } }
}

async function assertIdle(
  { scheduler, deletion }: SnapshotNeeds,
  { id }: SourceEntry,
): Promise<void> {
  const job = scheduler.find(id)
  if ((job && isActive(job)) || (await deletion.isDeleting(id)))
    throw sourcesRefusal('snapshot_busy')
}

function assertSame(source: SourceEntry, snapshot: Snapshot): void {
  if (snapshot.source.id !== source.id || snapshot.source.kind !== source.kind)
    throw invalid(
      `The snapshot is of ${snapshot.source.kind} ${snapshot.source.id}, not of this source.`,
    )
  const paths = new Set(snapshot.artifacts.map(({ sourcePath }) => sourcePath))
  if (paths.size !== snapshot.artifacts.length) throw invalid('The snapshot names a path twice.')
}

function toRow({ host }: SnapshotNeeds, source: SourceEntry, artifact: WireArtifact): ArtifactRow {
  const { sourcePath, sourceId, sourceSha256, sourceMetaJson, content } = artifact
  if (sourceId !== source.id) throw invalid(`The artifact ${sourcePath} has another source.`)
  if (hashOf(normalizeText(content)) !== sourceSha256)
    throw invalid(`The content of ${sourcePath} does not match its sourceSha256.`)
  return {
    ...artifact,
    sourceMetaJson: sourceMetaJson === null ? null : cleanMeta(sourceMetaJson, sourcePath),
    memorySentence: artifact.memorySentence && toCleanText(artifact.memorySentence),
    agentId: ownerOf(source),
    generation: source.generation,
    updatedAt: host.now().toISOString(),
    isDeleted: 0,
    deletedAt: null,
  }
}

function cleanMeta(json: string, path: string): string {
  try {
    return JSON.stringify(redactContent(JSON.parse(json), 'redact').value)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalid(`The sourceMetaJson of ${path} is no JSON.`)
  }
}

async function prepareArtifact(
  { db, extractor }: SnapshotNeeds,
  source: SourceEntry,
  row: ArtifactRow,
): Promise<PreparedItem> {
  if (await findOtherOwner(db, row)) throw invalid(`The path ${row.sourcePath} has another source.`)
  const content = normalizeText(await extractor.clean(row.content))
  const isDescription = /_(failure|checkpoint)$/.test(row.sourceKind)
  const artifact = { ...row, content, sourceSha256: hashOf(content) }
  return prepareRow({ extractor }, source, { artifact, isSearchable: !isDescription })
}

interface Replacement {
  readonly prepared: readonly PreparedItem[]
  readonly includeLocalChat: boolean
}

async function replaceRows(
  needs: SnapshotNeeds,
  source: SourceEntry,
  { prepared, includeLocalChat }: Replacement,
): Promise<void> {
  const paths = new Set(prepared.map(({ artifact }) => artifact.sourcePath))
  await transaction(needs.db, async (db) => {
    for (let after = ''; ; ) {
      const page = await listPaths(db, source.id, {
        agentId: ownerOf(source),
        after,
        limit: pageSize,
      })
      const stale = page.filter(
        (row) => !paths.has(row.sourcePath) && (includeLocalChat || !isLocalChat(row)),
      )
      for (const { sourcePath } of stale) {
        const key = { agentId: ownerOf(source), sourceId: source.id, sourcePath }
        await removeRow({ ...needs, db }, key)
      }
      const last = page.at(-1)
      if (!last) break
      after = last.sourcePath
    }
    for (let at = 0; at < prepared.length; at += batchItems)
      await saveRows({ ...needs, db }, prepared.slice(at, at + batchItems))
    afterCommit(db, () => needs.engine.changed())
  })
}
