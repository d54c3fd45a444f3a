import type { Client } from '../../client/client.ts'
import { ReverieError } from '../../client/public/reverie-error.ts'

/** A daemon that does not say within this time that it lives hangs. */
const maxSilenceMs = 3000
/** For a while after it hung it is given less. */
const shortSilenceMs = 300
const suspicionMs = 30_000
/** The most that a message may take of a daemon that lives. */
const maxAnswerMs = 30_000

/** Sends messages to a daemon that may hang. */
export type HangDetector = ReturnType<typeof createHangDetector>

/** The marker of a hanging daemon, shared with the hooks. */
interface SharedSuspicion {
  readonly isSet: boolean
  set(): Promise<void>
}

export function createHangDetector(client: Client, shared: SharedSuspicion) {
  const state = { isSuspected: shared.isSet }

  const suspect = async () => {
    state.isSuspected = true
    await shared.set()
    setTimeout(() => {
      state.isSuspected = false
    }, suspicionMs).unref()
  }
  const isAlive = async (withinMs: number) => {
    const live = client.call('GET /health/live', { timeoutMs: withinMs })
    return live.then(
      () => true,
      () => false,
    )
  }

  /** Throws `too_slow` where the daemon hangs; one that only works long is waited for. */
  const send = async (message: unknown, headers: Readonly<Record<string, string>>) => {
    const silenceMs = state.isSuspected ? shortSilenceMs : maxSilenceMs
    const giveUp = new AbortController()
    const abort = (waitedMs: number) => giveUp.abort(tooSlow(client.url, waitedMs))
    const timers = [
      setTimeout(() => abort(maxAnswerMs), maxAnswerMs),
      setTimeout(
        async () => {
          if (await isAlive(silenceMs / 3)) return
          abort(silenceMs)
          await suspect()
        },
        silenceMs - silenceMs / 3,
      ),
    ]
    try {
      const reply = await client.open('POST /mcp', {
        body: message,
        headers: { accept: 'application/json, text/event-stream', ...headers },
        signal: giveUp.signal,
      })
      state.isSuspected = false
      return reply
    } finally {
      timers.forEach(clearTimeout)
    }
  }
  return { send }
}

function tooSlow(url: string, waitedMs: number): ReverieError {
  const message = `${url} did not answer within ${waitedMs / 1000} s`
  return new ReverieError({ code: 'too_slow', message })
}
