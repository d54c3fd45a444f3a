import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Db } from '../../kernel/db/database.ts'
import type { PayloadOf } from '../../kernel/events/events.ts'
import { createEvents } from '../../kernel/events/events.ts'
import { createLog } from '../../kernel/log/log.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { manualClockHost } from '../../kernel/testing/manual-clock-host.ts'
import { temporaryFolder } from '../../kernel/testing/temporary-folder.ts'
import { type recallAnswered, recallBody } from '../recall/index.ts'
import { telemetrySettings } from './config.ts'
import { type ListRequest, readSearches } from './list.ts'
import { telemetryMigrations } from './migrations.ts'
import type { TelemetryNeeds } from './needs.ts'
import { createRuntime } from './runtime.ts'
import type { Search } from './search.ts'

export const onEachEngine = testOnEachEngine(telemetryMigrations)

/**
 * Telemetry with all settings on and a function that emits events. The memories in `gone` do not
 * exist.
 */
export async function telemetryFor(db: Db, settings: object = {}) {
  const folder = join(await temporaryFolder(), 'telemetry')
  const host = manualClockHost()
  const gone = new Set<string>()
  const events = createEvents((error) => {
    throw error
  })
  const config = telemetrySettings.schema.parse({ memorySearchQaEnabled: true, ...settings })
  const needs: TelemetryNeeds = {
    db,
    background: db,
    folder,
    host,
    log: createLog('silent'),
    events,
    config: () => config,
    self: { version: '1.0.0', engine: 'sqlite', mode: 'local' },
    memory: { filterExisting: async (ids) => ids.filter((id) => !gone.has(id)) },
  }
  const runtime = createRuntime(needs)
  onTestFinished(() => runtime.recorder.close())
  /** Listeners receive an event a moment later. */
  const flush = () => Promise.resolve().then(() => runtime.flush())
  const list = async (caller = callerFor('ada'), more: Partial<ListRequest> = {}) => {
    const searches: Search[] = []
    const request = { ...everything, ...more }
    await flush()
    for await (const page of readSearches(runtime, caller, request)) searches.push(...page)
    return searches
  }
  return { runtime, host, gone, events, flush, list }
}

const everything: ListRequest = {
  isNamed: true,
  limit: 100,
  offset: 0,
  sessionKey: undefined,
  route: undefined,
  since: undefined,
  until: undefined,
  noHits: undefined,
}

/** A recall by ada that returns these memories, each with its id and content. */
export function answered(
  contents: Readonly<Record<string, string>>,
  more: Partial<PayloadOf<typeof recallAnswered>> = {},
): PayloadOf<typeof recallAnswered> {
  return {
    caller: callerFor('ada'),
    request: recallBody.parse({ query: 'where is the ladder', tags: 'barn' }),
    sessionKey: 's1',
    readPolicy: 'shared',
    method: 'hybrid',
    shown: Object.entries(contents).map(([id, content], index) => ({
      row: {
        id,
        content,
        score: 0.9 - index / 10,
        source: 'hybrid',
        content_length: content.length,
        truncated: false,
      },
      memory: { id },
    })),
    timings: { totalMs: 7, stages: [{ name: 'find', durationMs: 5 }] },
    ...more,
  }
}
