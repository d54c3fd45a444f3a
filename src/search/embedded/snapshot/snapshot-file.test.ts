import { copyFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../kernel/testing/temporary-folder.ts'
import { createSearchIndex } from '../index/search-index.ts'
import { toSections } from './index-sections.ts'
import { identityOf, readSnapshot, sourceOf, writeSnapshot } from './snapshot-file.ts'

const pieces = { tokenize: (text: string) => [text.length] }

async function createPlace() {
  const folder = await temporaryFolder()
  const database = join(folder, 'memories.db')
  await writeFile(database, 'rows')
  const snapshot = join(folder, 'memories.snap')
  const sections = toSections(createSearchIndex(), sourceOf(identityOf(database), pieces))
  await writeSnapshot(snapshot, sections, new AbortController().signal)
  const isOfUse = (read = pieces) =>
    readSnapshot(snapshot, sourceOf(identityOf(database), read)) !== undefined
  return { database, isOfUse }
}

test('a snapshot is valid after any changes of the database', async () => {
  const { database, isOfUse } = await createPlace()

  await writeFile(database, 'other rows')

  expect(isOfUse()).toBe(true)
})

test('a snapshot of another database file is ignored', async () => {
  const { database, isOfUse } = await createPlace()

  await copyFile(database, `${database}.other`)
  await rename(`${database}.other`, database)

  expect(isOfUse()).toBe(false)
})

test('a snapshot of another analyzer is ignored', async () => {
  const { isOfUse } = await createPlace()

  expect(isOfUse({ tokenize: (text) => [text.length + 1] })).toBe(false)
})
