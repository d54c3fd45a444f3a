import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import type { MemoryRow } from '../../feed.ts'
import {
  createSearchIndex,
  needsCompaction,
  retainSpaces,
  type SearchIndex,
  upsertMemory,
  upsertVector,
} from '../index/search-index.ts'
import { readSnapshot } from '../snapshot/snapshot-file.ts'
import { createSnapshotScheduler } from './snapshot-scheduler.ts'

const source = 'here'
const identity = 'tiny'

test('an index with many dead slots is reloaded from its snapshot', async () => {
  const { scheduleSnapshot: update, snapshotFile, index } = await createScheduler()
  for (let version = 0; version < 6; version++) putAll(index, version)
  expect(needsCompaction(index)).toBe(true)

  const next = await update(index)

  expect([next.ids.slots(), needsCompaction(next)]).toEqual([300, false])
  expect(idsOf(next)).toEqual(idsOf(index))
  expect(next.spaces.get(identity)?.rows()).toBe(300)
  expect(idsOf(readSnapshot(snapshotFile, source))).toEqual(idsOf(next))
  expect(await readFile(snapshotFile, 'latin1')).not.toContain('version4')
})

test('changes during a snapshot are not in it and stay pending', async () => {
  const { scheduleSnapshot: update, snapshotFile, index } = await createScheduler()
  for (let version = 0; version < 6; version++) putAll(index, version)
  const { memories } = index.seen

  const next = await update(index, () =>
    upsertMemory(index, toRow(7, 'late', memories + 1), () => []),
  )

  expect([index.seen.memories, next.seen.memories]).toEqual([memories + 1, memories])
  expect(next.words.lengthOf(next.ids.slotOf('memory-7') ?? -1)).toBe(3)
  expect(readSnapshot(snapshotFile, source)?.seen.memories).toBe(memories)
})

test('an index rebuilt during a snapshot is not replaced', async () => {
  const { scheduleSnapshot: update, index } = await createScheduler()
  for (let version = 0; version < 6; version++) putAll(index, version)
  const rebuilt = createSearchIndex()
  upsertMemory(rebuilt, toRow(1, 'cat', 1), () => [])

  expect(await update(index, () => {}, rebuilt)).toBe(rebuilt)
})

test('vectors of a removed model leave the snapshot', async () => {
  const { scheduler, scheduleSnapshot: update, snapshotFile, index } = await createScheduler(100)
  putAll(index, 0)
  await update(index)
  const saved = () => readSnapshot(snapshotFile, source)?.spaces.has(identity)
  expect(saved()).toBe(true)

  retainSpaces(index, new Set())
  scheduler.update(index)

  await expect.poll(saved).toBe(false)
})

test('closing writes pending changes above the minimum', async () => {
  const { scheduler, snapshotFile, index } = await createScheduler(300)
  for (let number = 0; number < 299; number++)
    upsertMemory(index, toRow(number, 'a cat', number + 1), () => [])
  await scheduler.close(index)
  expect(readSnapshot(snapshotFile, source)).toBeUndefined()

  const other = await createScheduler(300)
  putAll(other.index, 0)
  await other.scheduler.close(other.index)
  expect(idsOf(readSnapshot(other.snapshotFile, source))).toEqual(idsOf(other.index))
})

test('closing leaves no erased data in the file, with or without time for a snapshot', async () => {
  for (const isLate of [false, true]) {
    const { scheduler, scheduleSnapshot: update, snapshotFile, index } = await createScheduler(100)
    putAll(index, 0)
    await update(index)
    expect(readSnapshot(snapshotFile, source)?.purgedCount).toBe(0)
    upsertMemory(index, { ...toRow(7, 'gone', 301), purged: true }, () => [])

    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const closing = scheduler.close(index)
    if (isLate) vi.runAllTimers()
    await closing

    const saved = readSnapshot(snapshotFile, source)
    expect(saved && idsOf(saved)).toEqual(isLate ? undefined : idsOf(index))
  }
})

test('closing deletes the snapshot of an index that is behind', async () => {
  const { scheduler, scheduleSnapshot: update, snapshotFile, index } = await createScheduler(100)
  putAll(index, 0)
  await update(index)
  expect(readSnapshot(snapshotFile, source)).toBeDefined()

  putAll(index, 1)
  scheduler.update(index)
  await scheduler.close(undefined)

  expect(readSnapshot(snapshotFile, source)).toBeUndefined()
})

/** Live slots in order. */
function idsOf(index: SearchIndex | undefined): readonly (string | undefined)[] {
  return Array.from(index?.ids.list() ?? [], (slot) => index?.ids.at(slot))
}

async function createScheduler(snapshotAfter = 1000) {
  const snapshotFile = join(await temporaryFolder(), 'search', 'memories.snap')
  const index = createSearchIndex()
  const onFailure = (error: unknown) => {
    throw error
  }
  const saved = Promise.withResolvers<void>()
  const options = { snapshotFile, snapshotAfter, source, index }
  const scheduler = createSnapshotScheduler(options, { onFailure, onWritten: saved.resolve })
  /** Returns the next index after the write. */
  const update = async (index: SearchIndex, meanwhile = () => {}, then = index) => {
    expect(scheduler.update(index)).toBe(index)
    meanwhile()
    await saved.promise
    return scheduler.update(then)
  }
  return { scheduler, scheduleSnapshot: update, snapshotFile, index }
}

function putAll(index: SearchIndex, version: number): void {
  for (let number = 0; number < 300; number++) {
    const revision = version * 300 + number + 1
    upsertMemory(index, toRow(number, `cat ${number} version${version}`, revision), () => [number])
    const memoryId = `memory-${number}`
    const vector = Float32Array.of(1, 0)
    const contentHash = `version${version}`
    upsertVector(index, { memoryId, identity, passage: 0, revision, contentHash, vector })
  }
}

function toRow(number: number, content: string, revision: number): MemoryRow {
  return {
    id: `memory-${number}`,
    revision,
    purged: false,
    content,
    hints: [],
    facts: {
      agent: 'ada',
      visibility: 'global',
      scope: null,
      project: null,
      type: 'fact',
      session: null,
      who: 'user',
      sourceType: 'manual',
      tags: null,
      pinned: false,
      deleted: false,
      traits: 0,
      words: 3,
      importance: 0.8,
      createdAt: number,
      supersededAt: Number.POSITIVE_INFINITY,
      contentHash: content.split(' ').at(-1) ?? '',
      validity: null,
    },
  }
}
