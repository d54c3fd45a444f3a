import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { transaction } from '../../kernel/db/transaction.ts'
import { pipelineFailed } from '../../kernel/events/pipeline-failure.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { textsEmbedded } from '../embeddings/index.ts'
import { memorySaved } from '../memory/index.ts'
import { recallPerformed } from '../recall/index.ts'
import { sessionEnded, sessionStarted, sessionTurnEnded } from '../sessions/index.ts'
import { exportEvents, readEvents } from './list.ts'
import { createMilestones } from './milestones.ts'
import type { TelemetryRuntime } from './runtime.ts'
import { readStats } from './stats.ts'
import type { TelemetryEvent } from './store/rows.ts'
import { onEachEngine, telemetryFor } from './telemetry.fixture.ts'

const ada = callerFor('ada')
const about = { agentId: 'ada', harness: 'codex', session: 'abc' }
const performed = { agentId: 'ada', results: 2, latencyMs: 7, truncated: false }

async function exported(runtime: TelemetryRuntime, more: object = {}, caller = ada) {
  const events: TelemetryEvent[] = []
  const request = { limit: 10_000, ...more }
  for await (const page of exportEvents(runtime, caller, request)) events.push(...page)
  return events
}

onEachEngine('records counts and names of emitted events', async (db) => {
  const { events, flush, runtime } = await telemetryFor(db)
  events.emit(sessionStarted, about)
  events.emit(sessionTurnEnded, { ...about, reason: 'turn', prompts: 3 })
  events.emit(recallPerformed, { ...performed, type: 'hybrid' })
  events.emit(recallPerformed, { ...performed, type: 'temporal' })
  events.emit(sessionEnded, { ...about, reason: null })
  await flush()

  const exportedEvents = await exported(runtime)
  expect(exportedEvents.map(({ event, properties }) => [event, properties])).toEqual([
    ['session.start', { harness: 'codex', sessionHash: 'abc' }],
    ['session.turn', { harness: 'codex', promptCount: 3, sessionHash: 'abc' }],
    ['recall.performed', { results: 2, latencyMs: 7, truncated: false }],
    ['recall.performed', { type: 'temporal', results: 2, latencyMs: 7, truncated: false }],
    [
      'session.end',
      {
        harness: 'codex',
        reason: 'absent',
        sessionHash: 'abc',
        cost: 0,
        tokensInput: 0,
        tokensOutput: 0,
        tokensCacheRead: 0,
        tokensCacheWrite: 0,
      },
    ],
  ])
  await runtime.recorder.close()
  const lines = await readFile(join(runtime.folder, 'events.jsonl'), 'utf8')
  expect(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(exportedEvents)
})

onEachEngine(
  'lists events newest first, filtered by name and time, and counts them',
  async (db) => {
    const { events, host, flush, runtime } = await telemetryFor(db)
    for (let latencyMs = 0; latencyMs < 4; latencyMs++) {
      events.emit(recallPerformed, { ...performed, type: 'keyword', latencyMs })
      await flush()
      host.advance(1000)
    }
    events.emit(sessionStarted, about)
    await flush()
    const read = async (more: object, caller = ada) =>
      (await readEvents(runtime, caller, { limit: 100, ...more }))?.map(
        ({ properties }) => properties['latencyMs'],
      )

    expect(await read({ event: 'recall.performed' })).toEqual([3, 2, 1, 0])
    expect(await read({ limit: 2 })).toEqual([undefined, 3])
    const [first, , third] = await exported(runtime)
    expect(await read({ since: third?.timestamp })).toEqual([undefined, 3, 2])
    expect(await read({ until: first?.timestamp })).toEqual([0])
    expect(await read({}, { ...ada, scope: { agent: 'bob' } })).toEqual([])
    expect(await read({}, { ...ada, scope: { project: 'apollo' } })).toEqual([])
    expect(await exported(runtime, { limit: 2 })).toMatchObject([
      {},
      { properties: { latencyMs: 1 } },
    ])
    expect(await readStats(runtime, ada, {})).toMatchObject({
      totalEvents: 5,
      sessions: { ended: 0 },
      recall: { calls: 4, p50: 2, p95: 3, byType: [{ type: 'keyword', calls: 4 }] },
    })
  },
)

onEachEngine(
  'events that cannot be written are counted, and later ones are written',
  async (db) => {
    const { events, flush, runtime } = await telemetryFor(db)
    const rename = (from: string, to: string) => db.schema.alterTable(from).renameTo(to).execute()
    await rename('telemetry_events', 'events_elsewhere')
    events.emit(sessionStarted, about)
    events.emit(sessionTurnEnded, { ...about, reason: 'turn', prompts: 1 })
    await flush()
    expect(runtime.recorder.state()).toMatchObject({ buffered: 0, dropped: 2, lastFlushAt: null })

    await rename('events_elsewhere', 'telemetry_events')
    events.emit(sessionStarted, about)
    await flush()
    expect((await exported(runtime)).map(({ event }) => event)).toEqual(['session.start'])
  },
)

onEachEngine('records and lists nothing while the setting is off', async (db) => {
  const { events, flush, runtime } = await telemetryFor(db, { enabled: false })
  events.emit(sessionStarted, about)
  await flush()

  expect(await readEvents(runtime, ada, { limit: 100 })).toBeUndefined()
  expect(await readStats(runtime, ada, {})).toBeUndefined()
  expect(() => exportEvents(runtime, ada, { limit: 1 })).toThrow('telemetry not enabled')
  const on = await telemetryFor(db)
  expect(await exported(on.runtime)).toEqual([])
})

onEachEngine('deletes events with their agent and after the retention', async (db) => {
  const { events, host, flush, runtime } = await telemetryFor(db, { retentionDays: 1 })
  const start = async (agentId: string) => {
    events.emit(sessionStarted, { ...about, agentId })
    await flush()
  }
  await start('ada')
  host.advance(86_400_001)
  await start('ada')
  await start('bob')

  await runtime.erasure.sweep()
  expect(await exported(runtime)).toHaveLength(2)
  events.emit(sessionStarted, about)
  await transaction(db, (db) => runtime.erasure.agentRemoval.archive(db, 'ada'))
  expect(await exported(runtime)).toHaveLength(1)
})

onEachEngine('records starts, exits, upgrades and first uses once', async (db) => {
  const { events, flush, runtime } = await telemetryFor(db)
  const saved = { id: 'm1', agentId: 'ada', visibility: 'global', project: null, scope: null }
  const run = async (version: string) => {
    const needs = { ...runtime, self: { ...runtime.self, version } }
    const milestones = createMilestones(needs, runtime.recorder)
    // Waits for its writes, before the folder is removed.
    onTestFinished(() => milestones.stop())
    await milestones.start()
    return milestones
  }
  await (await run('1.0.0')).stop()
  await run('1.0.0')
  events.emit(memorySaved, saved as never)
  events.emit(memorySaved, saved as never)
  await flush()
  await run('1.1.0')
  events.emit(recallPerformed, { ...performed, type: 'hybrid' })
  events.emit(pipelineFailed, { code: 'CONNECTOR_AUTH_FAIL', agentId: 'ada' })
  events.emit(textsEmbedded, { kind: 'query', tokens: 5 })
  await flush()

  const listed = await exported(runtime)
  const named = (name: string) =>
    listed.filter(({ event }) => event === name).map(({ properties }) => properties)
  expect(named('daemon.started')).toHaveLength(3)
  expect(named('daemon.previous_exit')).toEqual([{ exit: 'stopped' }, { exit: 'killed' }])
  expect(named('version.upgraded')).toEqual([{ from: '1.0.0', to: '1.1.0' }])
  expect(named('pipeline.error')).toEqual([{ stage: 'connector', code: 'CONNECTOR_AUTH_FAIL' }])
  expect(named('pipeline.embedding')).toEqual([{ tokens: 5, cost: 0, sourceKind: 'query' }])
  const ofAda = await exported(runtime, {}, { ...ada, scope: { agent: 'ada' } })
  expect(ofAda.map(({ event }) => event)).not.toContain('daemon.started')
  expect(ofAda.map(({ event }) => event)).toContain('first.remember')
})
