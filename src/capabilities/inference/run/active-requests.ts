import { Refusal } from '../../../kernel/errors/refusal.ts'

interface ActiveRequest {
  /** The authenticated sender. */
  readonly subject: string
  readonly cancel: () => void
}

interface Canceller {
  readonly subject: string
  /** May cancel requests of others. */
  readonly isAdmin: boolean
}

/** Streams that are running. The limits of concurrency bound their number. */
export interface ActiveRequests {
  add(id: string, request: ActiveRequest): void
  remove(id: string): void
  /** Refuses `request_not_found` for one that is unknown, has ended, or has another sender. */
  cancel(id: string, canceller: Canceller): void
  cancelAll(): void
  size(): number
}

export function createActiveRequests(): ActiveRequests {
  const requests = new Map<string, ActiveRequest>()
  return {
    add: (id, request) => {
      requests.set(id, request)
    },
    remove: (id) => {
      requests.delete(id)
    },
    cancel: (id, { subject, isAdmin }) => {
      const request = requests.get(id)
      if (!request || !(isAdmin || request.subject === subject))
        throw new Refusal('not_found', 'request_not_found', 'No such request is running.')
      request.cancel()
    },
    cancelAll: () => {
      for (const { cancel } of requests.values()) cancel()
    },
    size: () => requests.size,
  }
}
