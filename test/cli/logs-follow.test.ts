import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { reverieOf } from '../support/run-reverie.ts'
import { type Service, startService } from '../support/start-service.ts'

const config = { logging: { level: 'debug' } }
const service = await startService({ engine: 'sqlite', config })
afterAll(() => service.stop())
const remember = (content: string) =>
  service.ask('POST /api/memory/remember', { body: { content } })

test('later log entries follow earlier ones, one line each, until Ctrl-C', async () => {
  const { following, written } = follow(service, ['--json'])
  await vi.waitFor(() => expect(messagesOf(written())).toContain('ready'), 10_000)

  await vi.waitFor(async () => {
    await remember(`Ada likes green tea, sort ${written().length}`)
    expect(messagesOf(written())).toContain('memory saved')
  }, 10_000)

  following.kill('SIGINT')
  expect(await once(following, 'close')).toEqual([0, null])
})

test('exits with 5 if the daemon ends', async () => {
  const brief = await startService({ engine: 'sqlite', config })
  const { following, written, complaint } = follow(brief, [])
  await vi.waitFor(() => expect(written()).toContain(' ready\n'), 10_000)
  const ended = once(following, 'close')

  await brief.stop()

  expect(await ended).toEqual([5, null])
  expect(complaint()).toContain(`the daemon at ${brief.url} closed the connection`)
})

function follow(at: Service, options: readonly string[]) {
  const { env } = reverieOf(at)
  const args = ['dist/main.js', 'logs', '--follow', ...options]
  const following = spawn(process.execPath, args, { env })
  onTestFinished(() => void following.kill('SIGKILL'))
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    following[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  return { following, written: () => texts.stdout, complaint: () => texts.stderr }
}

function messagesOf(lines: string): readonly string[] {
  return lines
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line).message)
}
