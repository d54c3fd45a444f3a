import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { readMaxConnections } from './server.ts'

test.each([
  ['Max open files            256                  4096                 files', 128],
  ['Max open files            1024                 1024                 files', 512],
  ['Max cpu time  unlimited\nMax open files            65536   65536   files', 65_024],
  ['Max open files            unlimited            unlimited            files', undefined],
  ['', undefined],
])('%j reserves descriptors for the database: %s', async (text, connections) => {
  const file = join(await temporaryFolder(), 'limits')
  await writeFile(file, text)

  expect(await readMaxConnections(file)).toBe(connections)
})

test('an unknown system limit sets no maximum', async () => {
  expect(await readMaxConnections('/nowhere')).toBeUndefined()
})
