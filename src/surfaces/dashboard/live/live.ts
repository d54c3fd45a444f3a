import type { QueryClient } from '@tanstack/react-query'
import { createParser } from 'eventsource-parser'
import { host } from '../host.ts'
import { openStream } from '../queries/api.ts'

export interface LiveEvent {
  readonly type: string
  readonly id?: string
}

export interface Live {
  /** Calls the listener for each event, whichever tab reads the stream. */
  subscribe(listener: (event: LiveEvent) => void): () => void
  stop(): void
}

const lockName = 'reverie-live'
const maxFailures = 3
const pollMs = 30_000
const hiddenMs = 60_000
const minDelayMs = 1000
const maxDelayMs = 30_000

/** Reads one event stream for all tabs: the tab that holds the lock sends the events to the others. */
export function startLive(): Live {
  const stopping = new AbortController()
  const listeners = new Set<(event: LiveEvent) => void>()
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(lockName) : undefined
  const notify = (event: LiveEvent) => {
    for (const listener of listeners) listener(event)
  }
  const send = (event: LiveEvent) => {
    notify(event)
    channel?.postMessage(event)
  }
  channel?.addEventListener('message', ({ data }) => notify(data as LiveEvent))
  const follow = () => followEvents(send, stopping.signal)
  if ('locks' in navigator)
    void navigator.locks
      .request(lockName, { signal: stopping.signal }, follow)
      .catch(() => undefined)
  else void follow()
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop: () => {
      stopping.abort()
      channel?.close()
    },
  }
}

interface StreamState {
  lastId?: string | undefined
  failures: number
}

async function followEvents(send: (event: LiveEvent) => void, signal: AbortSignal) {
  const state: StreamState = { failures: 0 }
  while (!signal.aborted) {
    await untilVisible(signal)
    await readOnce(state, send, signal).catch(() => {
      state.failures += 1
    })
    if (signal.aborted) return
    if (state.failures >= maxFailures) send({ type: 'gap' })
    await pause(state.failures >= maxFailures ? pollMs : toDelay(state.failures), signal)
  }
}

async function readOnce(state: StreamState, send: (event: LiveEvent) => void, signal: AbortSignal) {
  const hidden = abortWhenHidden(signal)
  const resume = state.lastId === undefined ? {} : { 'last-event-id': state.lastId }
  const reply = await openStream('GET /api/events', {}, hidden, resume)
  if (!reply.ok || !reply.body) throw new Error(`The event stream answered ${reply.status}.`)
  const parser = createParser({
    onEvent: ({ id, data }) => {
      state.failures = 0
      state.lastId = id ?? state.lastId
      const event = JSON.parse(data) as LiveEvent
      if (event.type !== 'connected') send(event)
    },
  })
  const decoder = new TextDecoder()
  const reader = reply.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parser.feed(decoder.decode(value, { stream: true }))
  }
}

/** The stream closes after the page was hidden for a minute. */
function abortWhenHidden(signal: AbortSignal): AbortSignal {
  const hidden = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const check = () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(() => hidden.abort(), hiddenMs)
  }
  document.addEventListener('visibilitychange', check, { signal })
  return AbortSignal.any([signal, hidden.signal])
}

async function untilVisible(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted)
    await new Promise<void>((resolve) => {
      document.addEventListener('visibilitychange', () => resolve(), { once: true, signal })
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
}

function toDelay(failures: number): number {
  return Math.min(maxDelayMs, minDelayMs * 2 ** failures) * (0.5 + host.random())
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** The routes that an event makes stale. The list of memories offers its own button. */
const families: readonly (readonly [string, RegExp])[] = [
  ['memory.', /^(?!GET \/api\/memories$).*(memor|timeline|status|telemetry)/],
  ['session.', /session|harness|telemetry|timeline/],
  ['skill.', /skill/],
  ['knowledge.', /knowledge|ontology|dream/],
  ['ontology.', /ontology|dream/],
  ['task.', /task/],
  ['message.', /messages/],
]
const refreshMs = 1000

/** Reads again what the events concern, at most once a second. */
export function refreshByEvents(live: Live, queries: QueryClient): () => void {
  const stale = new Set<RegExp>()
  let isScheduled = false
  const refresh = () => {
    isScheduled = false
    const patterns = [...stale]
    stale.clear()
    void queries.invalidateQueries({
      predicate: ({ queryKey: [route] }) => patterns.some((pattern) => pattern.test(String(route))),
    })
  }
  return live.subscribe(({ type }) => {
    const family = families.find(([prefix]) => type.startsWith(prefix))
    stale.add(family?.[1] ?? /^GET (?!\/api\/memories$)/)
    if (!isScheduled) setTimeout(refresh, refreshMs)
    isScheduled = true
  })
}
