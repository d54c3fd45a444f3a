import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel'
import { Refusal } from '../errors/refusal.ts'

const failuresToOpen = 5
const halfOpenAfterMs = 30_000
const maxOrigins = 256

export type WithBreaker = <Reply extends { readonly status: number }>(
  origin: string,
  call: () => Promise<Reply>,
) => Promise<Reply>

/** One circuit breaker per origin. The least recently used ones are dropped. */
export function createBreakers(): WithBreaker {
  const breakers = new Map<string, CircuitBreakerPolicy>()
  return async (origin, call) => {
    const breaker = breakers.get(origin) ?? createBreaker()
    breakers.delete(origin)
    breakers.set(origin, breaker)
    for (const oldest of breakers.keys()) if (breakers.size > maxOrigins) breakers.delete(oldest)
    try {
      return await breaker.execute(call)
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error
      const message = `Circuit breaker open for ${origin}; retry in ${halfOpenAfterMs / 1000} s.`
      throw new Refusal('unavailable', 'outbound_unavailable', message, { origin })
    }
  }
}

function createBreaker(): CircuitBreakerPolicy {
  return circuitBreaker(handleWhen(isFailure).orWhenResult(isServerError), {
    halfOpenAfter: halfOpenAfterMs,
    breaker: new ConsecutiveBreaker(failuresToOpen),
  })
}

/** A reply refused for its address, size or type does not count as a failure of the origin. */
function isFailure(error: unknown): boolean {
  return (
    error instanceof Refusal && ['outbound_timeout', 'outbound_unavailable'].includes(error.code)
  )
}

function isServerError(reply: unknown): boolean {
  return (reply as { readonly status: number }).status >= 500
}
