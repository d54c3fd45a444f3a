import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixedHost } from '../testing/fixed-host.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { appendLines, readLines } from './append-lines.ts'
import { createFileLocks } from './file-lock.ts'

const place = async () => join(await temporaryFolder(), 'lines.jsonl')

async function read(file: string): Promise<string[]> {
  const all: string[] = []
  for await (const lines of readLines(file)) all.push(...lines.map((line) => line.toString()))
  return all
}

test('appends lines after existing ones', async () => {
  const file = await place()

  expect(await read(file)).toEqual([])
  await appendLines(file, ['a', 'é'.repeat(100_000)])
  await appendLines(file, [])
  await appendLines(file, ['b'])

  expect(await read(file)).toEqual(['a', 'é'.repeat(100_000), 'b'])
})

test.each(['', 'x', 'x'.repeat(200_000)])(
  'removes a partial last line and retains complete ones (%#)',
  async (half) => {
    const file = await place()
    await appendLines(file, ['a'])
    await appendFile(file, half)
    expect(await read(file)).toEqual(['a'])

    await appendLines(file, ['b'])

    expect(await readFile(file, 'utf8')).toBe('a\nb\n')
  },
)

test('starts over in a file with only a partial line', async () => {
  const file = await place()
  await writeFile(file, 'x'.repeat(100_000))

  await appendLines(file, ['a'])

  expect(await readFile(file, 'utf8')).toBe('a\n')
})

test('eight concurrent writers under the lock leave every line complete', async () => {
  const file = await place()
  const locks = createFileLocks(fixedHost())
  const lines = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000))

  await Promise.all(
    lines.map((line) => locks.withLock(file, () => appendLines(file, [line, line]))),
  )

  expect((await read(file)).toSorted()).toEqual(lines.flatMap((line) => [line, line]))
  expect(await readdir(join(file, '..'))).toEqual(['lines.jsonl'])
})
