import { Refusal } from '../../kernel/errors/refusal.ts'
import type { Host } from '../../kernel/host/host.ts'

/** More would wait so long that their harness goes on without an answer. */
const concurrency = 8
const comeBackMs = 1000

export type Admit = <Result>(signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>

/** Lets so many work at once and turns others away; a place is free again when its client is gone. */
export function createAdmission(host: Pick<Host, 'now'>): Admit {
  const inside = new Set<symbol>()
  return async (signal, work) => {
    if (inside.size >= concurrency) throw overload(host)
    const place = Symbol('place')
    const leave = () => inside.delete(place)
    inside.add(place)
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

function overload(host: Pick<Host, 'now'>): Refusal {
  const message = `Too many concurrent prompt submissions (max ${concurrency}). Retry shortly`
  return new Refusal('unavailable', 'prompt_overload', message, {
    retryAfter: host.now().getTime() + comeBackMs,
  })
}
