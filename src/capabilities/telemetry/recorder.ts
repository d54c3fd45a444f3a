import { join } from 'node:path'
import type { PayloadOf } from '../../kernel/events/events.ts'
import { findStage, pipelineFailed } from '../../kernel/events/pipeline-failure.ts'
import { openLogFile } from '../../kernel/log/log-file.ts'
import { passEnded } from '../dreaming/index.ts'
import { textsEmbedded } from '../embeddings/index.ts'
import { promptAnswered } from '../hooks/index.ts'
import {
  inferenceExecuted,
  inferenceFellBack,
  inferenceRouted,
  inferenceStreamed,
} from '../inference/index.ts'
import { recallAnswered, recallPerformed } from '../recall/index.ts'
import { sessionEnded, sessionStarted, sessionTurnEnded } from '../sessions/index.ts'
import { createBuffer } from './buffer.ts'
import type { TelemetryNeeds } from './needs.ts'
import { fromPrompt, fromRecall, type RecordedSearch, type Search, toRecorded } from './search.ts'
import { type EventRow, insertEvents } from './store/events.ts'
import type { Properties } from './store/rows.ts'
import { insertSearches } from './store/searches.ts'

const minuteMs = 60_000

/** Token counts are zero until sessions report them. */
const zeroTokens = {
  tokensInput: 0,
  tokensOutput: 0,
  tokensCacheRead: 0,
  tokensCacheWrite: 0,
  cost: 0,
}

export type Recorder = ReturnType<typeof createRecorder>

/** Records usage events while the setting is on. */
export function createRecorder(needs: TelemetryNeeds) {
  const { background: db, host, log, events, config } = needs
  const openLog = createOpenLog(needs)
  const isOn = () => config().enabled
  const flushed: { at: string | null } = { at: null }
  const buffer = createBuffer<EventRow>({
    host,
    maxQueued: 5000,
    batchSize: 200,
    flushDelayMs: minuteMs,
    write: async (rows) => {
      openLog.write(rows)
      await insertEvents(db, rows)
      flushed.at = host.now().toISOString()
    },
    onLost: (count, error) => log.warn({ err: error, count }, 'event write failed'),
  })

  const record = (event: string, agentId: string, properties: Properties) => {
    if (!isOn()) return
    const timestamp = host.now().toISOString()
    buffer.add({ id: host.newId(), event, timestamp, agentId, properties })
  }
  events.on(sessionStarted, ({ agentId, harness, session: sessionHash }) =>
    record('session.start', agentId, { harness, sessionHash }),
  )
  events.on(sessionTurnEnded, ({ agentId, harness, session: sessionHash, prompts: promptCount }) =>
    record('session.turn', agentId, { harness, promptCount, sessionHash }),
  )
  events.on(sessionEnded, ({ agentId, harness, session: sessionHash, reason }) =>
    record('session.end', agentId, {
      harness,
      reason: reason ?? 'absent',
      sessionHash,
      ...zeroTokens,
    }),
  )
  events.on(recallPerformed, ({ agentId, type, results, latencyMs, truncated }) =>
    record('recall.performed', agentId, {
      ...(type !== 'hybrid' && { type }),
      results,
      latencyMs,
      truncated,
    }),
  )
  for (const type of [inferenceRouted, inferenceExecuted, inferenceStreamed, inferenceFellBack])
    events.on(type, ({ agentId, ...properties }) => record(type.name, agentId, properties))
  events.on(textsEmbedded, ({ kind: sourceKind, tokens }) =>
    record('pipeline.embedding', '', { tokens, cost: 0, sourceKind }),
  )
  events.on(pipelineFailed, ({ agentId, code }) =>
    record('pipeline.error', agentId ?? '', { stage: findStage(code), code }),
  )
  events.on(passEnded, (pass) => record('dreaming.pass', pass.agentId, toPassProperties(pass)))
  return {
    isOn,
    record,
    state: () => ({ ...buffer.state(), lastFlushAt: flushed.at, openLog: openLog.path }),
    flush: () => buffer.flush(),
    close: async () => {
      await buffer.flush()
      await openLog.close()
    },
  }
}

/** Counts, costs and modes, without a word of the evidence. */
function toPassProperties(pass: PayloadOf<typeof passEnded>): Properties {
  const { mode, engine, dryRun, status, durationMs, appliedCount } = pass
  return {
    mode,
    engine,
    dryRun,
    tokensInput: pass.inputTokens,
    tokensOutput: pass.outputTokens,
    tokensCacheRead: pass.cacheReadTokens,
    tokensCacheWrite: pass.cacheCreationTokens,
    cost: pass.costMicros / 1_000_000,
    durationMs,
    applied: appliedCount,
    success: status === 'completed',
  }
}

/** A JSON Lines file, created with the first event. */
function createOpenLog({ folder, host, log }: TelemetryNeeds) {
  const state: { file?: ReturnType<typeof openLogFile> } = {}
  const name = 'events.jsonl'
  const openFile = () =>
    openLogFile(
      { folder, name },
      {
        now: () => host.now(),
        onFault: (error) => log.warn({ err: error }, 'event log write failed'),
      },
    )
  return {
    path: join(folder, name),
    write: (rows: readonly EventRow[]) => {
      state.file ??= openFile()
      for (const { agentId: _, ...event } of rows) state.file.write(`${JSON.stringify(event)}\n`)
    },
    close: async () => state.file?.close(),
  }
}

const flushDelayMs = 250

export type SearchLog = ReturnType<typeof createSearchLog>

/** Records memory queries with their results while the setting is on. */
export function createSearchLog(needs: TelemetryNeeds) {
  const { background: db, host, log, events, config } = needs
  const isOn = () => config().memorySearchQaEnabled
  const searches = createBuffer<Search>({
    host,
    maxQueued: 200,
    batchSize: 20,
    flushDelayMs: flushDelayMs,
    write: async (searches) => {
      await insertSearches(db, await dropErasedContents(needs, searches.map(toRecorded)))
    },
    onLost: (count, error) => log.warn({ err: error, count }, 'search log write failed'),
  })

  const record = (search: Omit<Search, 'id' | 'createdAt'>) =>
    searches.add({ ...search, id: host.newId(), createdAt: host.now().toISOString() })
  events.on(recallAnswered, (answered) => {
    if (isOn()) record(fromRecall(answered))
  })
  events.on(promptAnswered, (answered) => {
    if (isOn()) record(fromPrompt(answered))
  })
  return { isOn, flush: () => searches.flush() }
}

/** A memory may be deleted while its content is in the buffer. */
async function dropErasedContents(
  { memory }: TelemetryNeeds,
  searches: readonly RecordedSearch[],
): Promise<RecordedSearch[]> {
  const ids = searches.flatMap(({ results }) => results.flatMap(({ memoryId }) => memoryId ?? []))
  const existing = new Set(await memory.filterExisting([...new Set(ids)]))
  return searches.map((search) => ({
    ...search,
    results: search.results.map((result) =>
      result.memoryId === null || existing.has(result.memoryId)
        ? result
        : { ...result, content: null },
    ),
  }))
}
