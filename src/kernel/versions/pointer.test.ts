import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { findPointer, isReversible, type Pointer, rollBack, writePointer } from './pointer.ts'

const trial: Pointer = {
  version: '1.1.0',
  program: 'node_modules/reverie/bin/reverie',
  previous: null,
  state: 'trial',
  starts: 0,
  at: '2026-01-02T03:04:05.000Z',
  migrated: false,
  opened: false,
  rolledBack: null,
}

async function createRoot(): Promise<string> {
  const root = await temporaryFolder()
  await mkdir(join(root, 'versions'))
  return root
}

test('a rollback selects the previous version, or the own build of the launcher', async () => {
  const root = await createRoot()
  await writePointer(root, trial)
  expect(await rollBack(root, '1.0.0', 'now')).toBe(false)
  expect(await rollBack(root, '1.1.0', 'now')).toBe(true)
  expect(await findPointer(root)).toMatchObject({ version: null, rolledBack: '1.1.0' })

  const previous = { version: '1.0.5', program: 'bin/reverie' }
  await writePointer(root, { ...trial, previous })
  await rollBack(root, '1.1.0', 'now')
  expect(await findPointer(root)).toMatchObject({ ...previous, state: 'good', previous: null })
})

test.each([
  [{}, true],
  [{ migrated: true }, true],
  [{ migrated: true, opened: true }, false],
  [{ state: 'good' }, false],
] as const)('whether a rollback loses nothing: %o', (change, expected) => {
  expect(isReversible({ ...trial, ...change })).toBe(expected)
})

test.each(['', '{', '[]', '{"version":"1.1.0"}', JSON.stringify({ ...trial, program: '../x' })])(
  'an invalid pointer counts as none: %s',
  async (text) => {
    const root = await createRoot()
    await writeFile(join(root, 'versions', 'active.json'), text)
    expect(await findPointer(root)).toBe(undefined)
  },
)
