import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../../kernel/testing/temporary-folder.ts'
import type { MemoryRow } from '../../feed-rows.ts'
import { createSearchIndex, isCrowded, putMemory, putVector } from '../index/search-index.ts'
import { readSnapshot } from '../snapshot/snapshot-file.ts'
import { createSnapshotKeeper } from './snapshot-keeper.ts'

const source = 'here'
const identity = 'tiny'

test('an index that is crowded by what answers no more is read anew, and its snapshot is written', async () => {
  const { keeper, snapshotFile, index } = await createKeeper()
  for (let version = 0; version < 6; version++)
    for (let number = 0; number < 300; number++) {
      putMemory(index, toRow(number, `cat ${number} version${version}`), () => [number])
      const revision = version * 300 + number
      const memoryId = `memory-${number}`
      putVector(index, { memoryId, identity, passage: 0, revision, vector: Float32Array.of(1, 0) })
    }
  expect(isCrowded(index)).toBe(true)

  const next = keeper.keep(index)
  await keeper.settled()

  expect([next.ids.length, isCrowded(next)]).toEqual([300, false])
  expect([...next.slots.keys()]).toEqual([...index.slots.keys()])
  expect(next.spaces.get(identity)?.rows()).toBe(300)
  expect(readSnapshot(snapshotFile, source)?.ids).toEqual(next.ids)
  expect(await readFile(snapshotFile, 'latin1')).not.toContain('version4')
})

test('what is written does not change with the index that was read anew from it', async () => {
  const { keeper, snapshotFile, index } = await createKeeper()
  for (let version = 0; version < 6; version++)
    for (let number = 0; number < 300; number++)
      putMemory(index, toRow(number, `cat ${number} version${version}`), () => [number])

  const next = keeper.keep(index)
  const ids = [...next.ids]
  for (let number = 0; number < 300; number++)
    putMemory(next, { id: `memory-${number}`, revision: 9999, purged: true }, () => [])
  await keeper.settled()

  expect(readSnapshot(snapshotFile, source)?.ids).toEqual(ids)
})

async function createKeeper() {
  const snapshotFile = join(await temporaryFolder(), 'search', 'memories.snap')
  const index = createSearchIndex()
  const onFailure = (error: unknown) => {
    throw error
  }
  const options = { snapshotFile, snapshotAfter: 1_000_000, source, index }
  const keeper = createSnapshotKeeper(options, { onFailure, onWritten: () => {} })
  return { keeper, snapshotFile, index }
}

function toRow(number: number, content: string): MemoryRow {
  return {
    ...{ id: `memory-${number}`, revision: 1, purged: false, content, hints: [] },
    facts: {
      ...{ agent: 'ada', visibility: 'global', scope: null, project: null, type: 'fact' },
      ...{ session: null, who: 'user', sourceType: 'manual', tags: null, pinned: false },
      ...{ deleted: false, traits: 0, words: 3, importance: 0.8, createdAt: number },
      supersededAt: Number.POSITIVE_INFINITY,
    },
  }
}
