import { Refusal } from '../../kernel/errors/refusal.ts'
import type { Host } from '../../kernel/host/host.ts'

/** More calls would exceed the time-out of their harness. */
const concurrency = 8
const retryAfterMs = 1000

export type Admit = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>

/** Limits concurrency and refuses further calls. A disconnected client frees its slot. */
export function createAdmission(host: Pick<Host, 'now'>): Admit {
  const running = new Set<symbol>()
  return async (signal, work) => {
    if (running.size >= concurrency) throw overload(host)
    const slot = Symbol('slot')
    const release = () => running.delete(slot)
    running.add(slot)
    signal.addEventListener('abort', release, { once: true })
    try {
      return await work()
    } finally {
      release()
    }
  }
}

function overload(host: Pick<Host, 'now'>): Refusal {
  const message = `Too many concurrent prompt submissions (max ${concurrency}). Retry shortly`
  return new Refusal('unavailable', 'prompt_overload', message, {
    retryAfter: host.now().getTime() + retryAfterMs,
  })
}
