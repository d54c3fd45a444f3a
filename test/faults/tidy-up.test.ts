import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'

test('killed tests leave no daemon behind', async () => {
  const program = fileURLToPath(new URL('../support/start-and-wait.ts', import.meta.url))
  const words = [program, await makeFolder()]
  const tests = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(tests.stdout.setEncoding('utf8'), 'data')
  const ask = () => fetch(`${String(line).trim()}/health/live`)
  expect((await ask()).status).toBe(200)

  tests.kill('SIGKILL')

  const gone = () => expect(ask()).rejects.toThrow('fetch failed')
  await vi.waitFor(gone, { timeout: 20_000, interval: 20 })
})
