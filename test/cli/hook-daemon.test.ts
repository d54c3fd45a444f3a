import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { makeFolder } from '../support/make-folder.ts'
import { runReverie } from '../support/run-reverie.ts'
import { startService } from '../support/start-service.ts'

const service = await startService({ engine: 'sqlite' })
afterAll(() => service.stop())
const env = { SVC_URL: service.url, SVC_TOKEN: service.tokenFor('agent'), SVC_AGENT_ID: 'ada' }

async function hook(event: string, payload: Readonly<Record<string, unknown>>): Promise<string> {
  const input = JSON.stringify({ session_id: 's-1', cwd: '/tea', ...payload })
  const args = ['hook', event, '-H', 'claude-code', '--debug']
  const { code, stdout, stderr } = await runReverie(args, { command: ['bin/reverie'], input, env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

test('a session from its start to its end', async () => {
  await runReverie(['remember', 'critical: I like my tea green'], { env })

  const start = JSON.parse(await hook('session-start', { source: 'startup' }))
  expect(start.hookSpecificOutput.additionalContext).toContain('I like my tea green')
  await hook('user-prompt-submit', { prompt: 'What do I drink?' })
  const compacting = await hook('pre-compaction', { trigger: 'auto' })
  expect(compacting).toContain('Keep what the next session needs')
  expect(compacting).not.toContain('I like my tea green')
  await hook('checkpoint', {})
  expect(await hook('compaction-complete', { compact_summary: 'We spoke of tea.' })).toBe('')

  const file = join(await makeFolder(), 's-1.jsonl')
  const turn = { type: 'user', message: { role: 'user', content: 'Which tea was it?' } }
  await writeFile(file, `${JSON.stringify(turn)}\n`)
  expect(await hook('session-end', { transcript_path: file, reason: 'other' })).toBe('')

  const captured = () => service.ask('GET /api/sessions/s-1/transcript', { agent: 'ada' })
  await vi.waitFor(
    async () => expect((await captured()).body['content']).toContain('User: Which tea was it?'),
    { timeout: 20_000, interval: 100 },
  )
})

test('a session has one runtime path: the second one gets no output', async () => {
  const input = JSON.stringify({ session_id: 's-2' })
  const start = (...more: readonly string[]) =>
    runReverie(['hook', 'session-start', '-H', 'generic', '--debug', ...more], {
      command: ['bin/reverie'],
      input,
      env,
    })

  expect((await start()).stdout).toContain('<svc-memory-context>')
  expect(await start('--runtime-path', 'plugin')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('refused: status 409'),
  })
})
