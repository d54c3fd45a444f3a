import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { explainError } from './system-error.ts'

test('explains a system error with its remedy and path', async () => {
  const error = await readFile('/nowhere/at-all').catch((caught: unknown) => caught)

  expect(explainError(error)).toBe(
    "A file or folder does not exist. Check the path. (ENOENT: no such file or directory, open '/nowhere/at-all')",
  )
})

test('names the variable to change when an address is in use', async () => {
  const first = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => first.once('listening', resolve))
  const second = createServer().listen(first.address())
  const error = await new Promise((resolve) => second.once('error', resolve))
  first.close()

  expect(explainError(error)).toMatch(/Another program uses this address.*SVC_PORT.*EADDRINUSE/)
})

test.each([
  [new Error('plain words'), 'plain words'],
  [Object.assign(new Error('plain words'), { code: 'unknown_code' }), 'plain words'],
  ['a text', 'a text'],
])('returns %s unchanged', (error, message) => {
  expect(explainError(error)).toBe(message)
})
