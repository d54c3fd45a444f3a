import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerWith, startFakeDaemon } from '../support/fake-daemon.ts'
import { makeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'

const silent = () => undefined

async function createHooks(answer: Parameters<typeof startFakeDaemon>[0]) {
  const workspace = await makeFolder()
  const daemon = { answer }
  const { url } = await startFakeDaemon((response) => daemon.answer(response))
  const run = async (event: string, address = url) => {
    const env = { SVC_PATH: workspace, SVC_URL: address, SVC_PROMPT_SUBMIT_TIMEOUT: '1' }
    const input = JSON.stringify({ session_id: 's-1', prompt: 'Hi' })
    const args = ['hook', event, '-H', 'claude-code', '--debug']
    const command = [process.execPath, 'dist/hook.cjs']
    const { code, stdout, stderr } = await runReverie(args, { command, env, input })
    expect({ code, stdout: stdout.includes('tea') || stdout }).toMatchObject({ code: 0 })
    return stderr.trim().replace('reverie hook: ', '')
  }
  return { daemon, run, url, marker: join(workspace, '.daemon', 'hook-timeout') }
}

const slowAfter = (timeoutMs: number) => `slow: no reply within ${timeoutMs} ms`

test('after one time-out the hooks of the next 30 s give up early', async () => {
  const { run, url, marker } = await createHooks(silent)

  expect(await run('user-prompt-submit')).toBe(slowAfter(2001))
  expect(await readFile(marker, 'utf8')).toBe(url)
  expect(await run('user-prompt-submit')).toBe(slowAfter(300))
  expect(await run('session-start')).toBe(slowAfter(300))
  expect(await run('checkpoint')).toBe(slowAfter(300))
  expect(await run('session-end')).toBe(slowAfter(5000))

  const over = new Date(Date.now() - 30_001)
  await utimes(marker, over, over)
  expect(await run('user-prompt-submit')).toBe(slowAfter(2001))
  expect(await run('user-prompt-submit')).toBe(slowAfter(300))
})

test('a daemon that answers again, or at another address, gets the full timeout', async () => {
  const { daemon, run } = await createHooks(silent)
  const other = await startFakeDaemon(silent)
  expect(await run('user-prompt-submit')).toBe(slowAfter(2001))

  expect(await run('user-prompt-submit', other.url)).toBe(slowAfter(2001))
  expect(await run('user-prompt-submit')).toBe(slowAfter(2001))
  expect(await run('user-prompt-submit')).toBe(slowAfter(300))
  for (const status of [200, 401]) {
    daemon.answer = answerWith({ inject: 'tea' }, status)
    await run('session-end')
    daemon.answer = silent
    expect(await run('user-prompt-submit')).toBe(slowAfter(2001))
  }
})

test('a missing daemon leaves no marker, and an unwritable marker changes nothing', async () => {
  const { run, marker } = await createHooks(silent)
  expect(await run('session-start', 'http://127.0.0.1:9')).toContain('offline')
  const folder = join(marker, '..', '..')
  expect(await readdir(folder)).toEqual([])

  await writeFile(join(folder, '.daemon'), '')
  expect(await run('user-prompt-submit')).toBe(slowAfter(2001))
})
