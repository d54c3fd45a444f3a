import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { readSecret } from './secret.ts'

test('the first start creates an owner-only secret, and later starts read it', async () => {
  const file = join(await temporaryFolder(), '.daemon', 'auth-secret')

  const made = await readSecret(file)

  expect(made).toHaveLength(32)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readSecret(file)).toEqual(made)
})

test('rejects a truncated secret', async () => {
  const file = join(await temporaryFolder(), 'auth-secret')
  await writeFile(file, 'short')

  await expect(readSecret(file)).rejects.toThrow('holds 5 bytes, not 32')
})
