import { describe, expect, test } from 'vitest'
import { hooksOf } from '../support/hooks-of.ts'
import { startSharedService } from '../support/shared-service.ts'

const service = await startSharedService()
const { hook, newKey } = hooksOf(service)

// MEMORY.md is written from summaries only.
await hook('compaction-complete', { sessionKey: newKey(), summary: 'The gate was painted.' })

describe('synthesis', () => {
  test('works: returns the content of MEMORY.md and its settings', async () => {
    const config = {
      enabled: true,
      model: 'projection',
      schedule: 'idle',
      timeout: 120_000,
      maxTokens: 8000,
      idleGapMinutes: 15,
      minIntervalMinutes: 60,
    }
    const { body } = await service.ask('POST /api/hooks/synthesis')

    expect(body).toEqual({
      harness: 'daemon',
      model: 'projection',
      fileCount: expect.any(Number),
      prompt: expect.any(String),
      indexBlock: expect.stringMatching(/^## Temporal Index\n/),
    })
    expect(String(body['prompt']).endsWith(`${body['indexBlock']}\n`)).toBe(true)
    expect(
      String(body['prompt'])
        .match(/^#+ .*$/gm)
        ?.filter((line) => !/^###/.test(line)),
    ).toEqual([
      '# Working Memory Summary',
      '## Global Head (Tier 1)',
      '## Thread Heads (Tier 2)',
      '## Session Ledger (Last 30 Days)',
      '## Open Threads',
      '## Durable Notes & Constraints',
      '## Temporal Index',
    ])
    expect((await service.ask('GET /api/hooks/synthesis/config')).body).toEqual(config)
    const trigger = (force: boolean) =>
      service.ask('POST /api/synthesis/trigger', { body: { force } })
    await expect
      .poll(async () => (await trigger(true)).body)
      .toEqual({ success: true, skipped: false })
    expect((await trigger(false)).body).toEqual({
      success: true,
      skipped: true,
      reason: expect.any(String),
    })
    await expect
      .poll(async () => (await service.ask('GET /api/synthesis/status')).body)
      .toEqual({ running: false, lastRunAt: expect.any(String), config })
    expect((await service.ask('GET /api/synthesis/status?agentId=missing')).body).toEqual({
      running: false,
      lastRunAt: null,
      config,
    })
  })

  test('works: a compaction writes MEMORY.md, a start returns it, and captures do not remove it', async () => {
    const agentId = 'scribe'
    const about = { agentId, project: '/meadow' }
    const call = (name: string, body: object) => hook(name, { ...about, ...body })
    const summary = 'The meadow was mown on Friday, and the hay lies in the northern barn.'
    await call('compaction-complete', { sessionKey: 'mowing', summary })
    await expect
      .poll(
        async () =>
          (await service.ask('GET /api/synthesis/status?agentId=scribe')).body['lastRunAt'],
        { timeout: 30_000 },
      )
      .toEqual(expect.any(String))

    const context = (await call('session-start', { sessionKey: 'raking' })).body
    expect(context['recentContext']).toContain('# Working Memory Summary')
    expect(context['recentContext']).not.toContain('svc:memory')
    const transcript = `User: hello ${String(context['inject']).replaceAll('\n', ' ')} and good day`
    const ended = await call('session-end', { sessionKey: 'raking', transcript })
    await expect
      .poll(
        async () => {
          const receipt = `/api/hooks/transcript-capture/${ended.body['transcriptCaptureJobId']}`
          return (await service.ask(`GET ${receipt}?agentId=scribe`)).body['status']
        },
        { timeout: 30_000 },
      )
      .toBe('completed')
    const transcriptReply = await service.ask('GET /api/sessions/raking/transcript?agentId=scribe')
    expect(transcriptReply.body['content']).toMatch(/^User: hello\s+and good day$/)
    const next = (await service.ask('POST /api/hooks/synthesis', { body: { agentId } })).body
    expect(String(next['prompt']).split('Working Memory Summary')).toHaveLength(2)
  })

  test('refuses an invalid body', async () => {
    expect(await service.ask('POST /api/hooks/synthesis', { body: '[' })).toMatchObject({
      status: 400,
      body: { error: 'invalid request body' },
    })
  })

  test('refuses a completion by a harness with any fields', async () => {
    for (const body of [undefined, '[', 'x'.repeat(2_000_000)])
      expect(await service.ask('POST /api/hooks/synthesis/complete', { body })).toMatchObject({
        status: 410,
        body: {
          error: expect.any(String),
          code: 'SYNTHESIS_COMPLETE_RETIRED',
          version: 1,
          retired: true,
          migration: { method: 'POST', path: '/api/synthesis/trigger', reason: expect.any(String) },
        },
      })
  })

  test('who may: readers may read and not write', async () => {
    const ask = { body: {}, role: 'readonly' } as const

    expect((await service.ask('POST /api/hooks/synthesis', ask)).status).toBe(200)
    expect((await service.ask('POST /api/synthesis/trigger', ask)).status).toBe(403)
  })
})
