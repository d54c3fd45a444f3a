import type { QueryClient } from '@tanstack/react-query'
import { createParser } from 'eventsource-parser'
import { host } from '../host.ts'
import { openStream } from '../queries/api.ts'
import { refreshQueries } from '../queries/read.ts'

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

interface Message {
  readonly event: LiveEvent
  readonly lastId: string | undefined
}

interface StreamState {
  /** The newest event of any tab, where the next reader resumes. */
  lastId?: string | undefined
  failures: number
}

/**
 * Reads one event stream for all tabs: the tab that holds the lock sends the events to the others.
 * Without events in this build, or without locks, each tab reads again every 30 s.
 */
export function startLive(hasEvents: boolean): Live {
  const stopping = new AbortController()
  const { signal } = stopping
  const listeners = new Set<(event: LiveEvent) => void>()
  const state: StreamState = { failures: 0 }
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(lockName) : undefined
  const notify = ({ event, lastId }: Message) => {
    state.lastId = lastId
    for (const listener of listeners) listener(event)
  }
  const send = (event: LiveEvent) => {
    const message = { event, lastId: state.lastId }
    notify(message)
    channel?.postMessage(message)
  }
  channel?.addEventListener('message', ({ data }) => notify(data as Message))
  if (hasEvents && channel && 'locks' in navigator) void takeTurns(state, send, signal)
  else void pollWhileVisible(send, signal)
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

/** A hidden tab releases the lock, so that a visible one reads the stream. */
async function takeTurns(
  state: StreamState,
  send: (event: LiveEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await untilVisible(signal)
    const turn = new AbortController()
    const ending = AbortSignal.any([signal, turn.signal])
    const unwatch = abortWhenHidden(turn, ending)
    await navigator.locks
      .request(lockName, { signal: ending }, () => followEvents(state, send, ending))
      .catch(() => undefined)
    unwatch()
  }
}

/** Without locks every tab would hold a stream of its own, and a browser has few connections. */
async function pollWhileVisible(send: (event: LiveEvent) => void, signal: AbortSignal) {
  while (!signal.aborted) {
    await pause(pollMs, signal)
    await untilVisible(signal)
    if (!signal.aborted) send({ type: 'gap' })
  }
}

async function followEvents(
  state: StreamState,
  send: (event: LiveEvent) => void,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    await readOnce(state, send, signal).catch(() => {
      state.failures += 1
    })
    if (signal.aborted) return
    if (state.failures >= maxFailures) send({ type: 'gap' })
    await pause(state.failures >= maxFailures ? pollMs : toDelay(state.failures), signal)
  }
}

async function readOnce(state: StreamState, send: (event: LiveEvent) => void, signal: AbortSignal) {
  const resume = state.lastId === undefined ? {} : { 'last-event-id': state.lastId }
  const reply = await openStream('GET /api/events', {}, signal, resume)
  if (!reply.body) throw new Error('The event stream has no body.')
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

/** A turn ends after the page was hidden for a minute. Returns the function that stops watching. */
function abortWhenHidden(turn: AbortController, signal: AbortSignal): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const check = () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(() => turn.abort(), hiddenMs)
  }
  document.addEventListener('visibilitychange', check, { signal })
  return () => {
    turn.abort()
    clearTimeout(timer)
  }
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
    void refreshQueries(queries, (route) => patterns.some((pattern) => pattern.test(route)))
  }
  return live.subscribe(({ type }) => {
    const family = families.find(([prefix]) => type.startsWith(prefix))
    stale.add(family?.[1] ?? /^GET (?!\/api\/memories$)/)
    if (!isScheduled) setTimeout(refresh, refreshMs)
    isScheduled = true
  })
}
