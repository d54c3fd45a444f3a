import { afterAll, expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startService } from '../support/start-service.ts'

const service = await startService({
  config: { sessions: { claimTtlMs: 1500, sweepIntervalMs: 1000 } },
})
afterAll(() => service.stop())

const hooks = hooksOf(service, { project: '/p' })
const hook = async (name: string, body: object) => (await hooks.hook(name, body)).body
const transcriptOf = async (key: string) =>
  (await service.ask(`GET /api/sessions/${key}/transcript`)).body['content']
const checkpointsOf = async (key: string) =>
  (await service.ask(`GET /api/checkpoints/${key}`)).body['checkpoints'] as { trigger: string }[]

test('a session is started, prompted, compacted, restarted, cleared and closed by the sweep', async () => {
  const sessionKey = 'life'
  const submit = (userMessage: string, lastAssistantMessage?: string) =>
    hook('user-prompt-submit', { sessionKey, userMessage, lastAssistantMessage })
  expect(await hook('session-start', { sessionKey })).toMatchObject({ sessionKnown: false })
  await submit('where do the bees live?')
  await submit('and who feeds them?', 'In the hive behind the barn.')
  expect(await transcriptOf(sessionKey)).toBe(
    'User: where do the bees live?\nAssistant: In the hive behind the barn.\nUser: and who feeds them?',
  )

  await hook('pre-compaction', { sessionKey })
  expect(await checkpointsOf(sessionKey)).toMatchObject([{ trigger: 'pre_compaction' }])
  const compacted = await hook('compaction-complete', {
    sessionKey,
    summary: 'The bees live well.',
  })
  expect(compacted).toMatchObject({ success: true, contextEpoch: 1 })
  const context = await hook('session-start', { sessionKey })
  expect(context).toMatchObject({ sessionKnown: true })
  expect(context['dynamicContext']).toContain('where do the bees live?')

  await service.kill()
  await service.restart()
  expect(await hook('session-start', { sessionKey, claimOnly: true })).toEqual({
    sessionKnown: true,
  })
  await submit('a last word before it is cleared')
  const cleared = await hook('session-start', { sessionKey, source: 'clear' })
  expect(cleared['dynamicContext']).not.toContain('Session Recovery Context')
  expect((await checkpointsOf(sessionKey)).map(({ trigger }) => trigger)).toContain('session_end')

  await submit('and then the harness was gone')
  await expect
    .poll(async () => (await service.ask(`GET /api/sessions/${sessionKey}`)).status, {
      timeout: 20_000,
    })
    .toBe(404)
  expect(await transcriptOf(sessionKey)).toContain('and then the harness was gone')
  expect(await hook('session-start', { sessionKey, runtimePath: 'legacy' })).toMatchObject({
    contextVersion: 1,
  })
})
