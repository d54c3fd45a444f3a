import type { Principal } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import { Refusal } from '../errors/refusal.ts'

const maxStreams = 64
const maxStreamsPerCaller = 8

/** The open subscriptions of a daemon. */
export interface Subscriptions {
  /** Counts one more, or refuses `too_many_streams`. Returns its release. */
  open(subscriber: string): () => void
}

export function createSubscriptions(): Subscriptions {
  const counts = new Map<string, number>()
  let total = 0
  return {
    open: (subscriber) => {
      const own = counts.get(subscriber) ?? 0
      if (total >= maxStreams) throw tooMany(`The daemon has ${maxStreams} open streams.`)
      if (own >= maxStreamsPerCaller)
        throw tooMany(`This caller has ${maxStreamsPerCaller} open streams.`)
      counts.set(subscriber, own + 1)
      total += 1
      const release = () => {
        total -= 1
        const left = (counts.get(subscriber) ?? 1) - 1
        if (left > 0) counts.set(subscriber, left)
        else counts.delete(subscriber)
      }
      return release
    },
  }
}

/**
 * Callers without a token share an address, and tokens of several agents may share a subject, so
 * their agents count apart.
 */
export function toSubscriber(
  { claims, subject }: Pick<Principal, 'claims' | 'subject'>,
  { agentId }: Pick<Caller, 'agentId'>,
): string {
  const agent = claims ? claims.scope.agent : agentId
  return agent === undefined ? subject : `${subject} ${agent}`
}

function tooMany(message: string): Refusal {
  return new Refusal('too_many', 'too_many_streams', `${message} Close one first.`)
}
