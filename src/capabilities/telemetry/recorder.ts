import { openLogFile } from '../../kernel/log/log-file.ts'
import { recallPerformed } from '../recall/index.ts'
import { sessionEnded, sessionStarted, sessionTurned } from '../sessions/index.ts'
import { createBuffer } from './buffer.ts'
import type { Properties } from './event.ts'
import type { TelemetryNeeds } from './needs.ts'
import { type EventRow, insertEvents } from './store/events.ts'

const minuteMs = 60_000

/** Of which nothing is known before there are models that are asked. */
const noTokens = {
  ...{ tokensInput: 0, tokensOutput: 0, tokensCacheRead: 0, tokensCacheWrite: 0, cost: 0 },
}

export type Recorder = ReturnType<typeof createRecorder>

/** Counts what the others announce, unless it is switched off. */
export function createRecorder(needs: TelemetryNeeds) {
  const { background: db, host, log, events, config } = needs
  const open = createOpenLog(needs)
  const isOn = () => config().enabled
  const waiting = createBuffer<EventRow>({
    ...{ host, most: 5000, atOnce: 200, withinMs: minuteMs },
    write: async (rows) => {
      open.write(rows)
      await insertEvents(db, rows)
    },
    onLost: (count, error) => log.warn({ err: error, count }, 'events were not recorded'),
  })

  const record = (event: string, agentId: string, properties: Properties) => {
    if (!isOn()) return
    const timestamp = host.now().toISOString()
    waiting.add({ id: host.newId(), event, timestamp, agentId, properties })
  }
  events.on(sessionStarted, ({ agentId, harness, session: sessionHash }) =>
    record('session.start', agentId, { harness, sessionHash }),
  )
  events.on(sessionTurned, ({ agentId, harness, session: sessionHash, prompts: promptCount }) =>
    record('session.turn', agentId, { harness, promptCount, sessionHash }),
  )
  events.on(sessionEnded, ({ agentId, harness, session: sessionHash, reason }) =>
    record('session.end', agentId, {
      ...{ harness, reason: reason ?? 'absent', sessionHash, ...noTokens },
    }),
  )
  events.on(recallPerformed, ({ agentId, type, results, latencyMs, truncated }) =>
    record('recall.performed', agentId, {
      ...(type !== 'hybrid' && { type }),
      ...{ results, latencyMs, truncated },
    }),
  )
  return {
    isOn,
    settled: () => waiting.settled(),
    close: async () => {
      await waiting.settled()
      await open.close()
    },
  }
}

/** A file that a person can read; there is none before there is something to tell. */
function createOpenLog({ folder, host, log }: TelemetryNeeds) {
  const state: { file?: ReturnType<typeof openLogFile> } = {}
  const openFile = () =>
    openLogFile(
      { folder, name: 'events.jsonl' },
      {
        now: () => host.now(),
        onFault: (error) => log.warn({ err: error }, 'the open log of events is not written'),
      },
    )
  return {
    write: (rows: readonly EventRow[]) => {
      state.file ??= openFile()
      for (const { agentId: _, ...event } of rows) state.file.write(`${JSON.stringify(event)}\n`)
    },
    close: async () => state.file?.close(),
  }
}
