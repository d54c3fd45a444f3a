import { Worker } from 'node:worker_threads'
import {
  type EngineAnswer,
  EngineBusy,
  type EngineHealth,
  type EngineQuery,
  EngineUnavailable,
  type SimilarQuery,
} from '../engine.ts'

export type EngineRequest =
  | { readonly kind: 'search'; readonly query: EngineQuery }
  | { readonly kind: 'similar'; readonly query: SimilarQuery }

/** The module of a worker thread and its worker data. */
export interface Program {
  readonly file: URL
  readonly options: object
}

/** A search engine in a worker thread. */
export interface SearchThread {
  /** Resolves after the exit, with the reason unless it was closed. */
  readonly ended: Promise<string | undefined>
  send(request: EngineRequest): Promise<EngineAnswer | undefined>
  changed(): void
  close(): Promise<void>
  /** Terminates the thread. */
  end(reason: string): void
}

interface Listeners {
  readonly onHealth: (health: EngineHealth) => void
  readonly onWarning: (message: string) => void
}

const maxPendingRequests = 1000
/** Room for the garbage of a query; more does not make the thread faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 }

export function startSearchThread(
  { file, options }: Program,
  { onHealth, onWarning }: Listeners,
): SearchThread {
  const worker = new Worker(file, { workerData: options, resourceLimits })
  const pending = new Map<number, PromiseWithResolvers<EngineAnswer | undefined>>()
  const ended = Promise.withResolvers<string | undefined>()
  const state: { reason?: string; isClosing?: true; hasExited?: true } = {}
  const changes = createCoalescer(() => post({ kind: 'changed' }))
  let lastId = 0

  const post = (request: Request) => worker.postMessage(request)
  worker.on('message', (reply: Reply) => {
    if (reply.kind === 'health') {
      changes.acknowledge()
      onHealth(reply.health)
      return
    }
    if (reply.kind === 'warning') {
      onWarning(reply.message)
      return
    }
    const { resolve, reject } = pending.get(reply.id) ?? {}
    pending.delete(reply.id)
    if (reply.kind === 'answer') resolve?.(reply.answer)
    else reject?.(new Error(`The search failed: ${reply.message}`))
  })
  worker.on('error', (error) => {
    state.reason = String(error)
  })
  worker.on('messageerror', () => worker.terminate())
  worker.once('exit', () => {
    state.hasExited = true
    const { reason = 'terminated' } = state
    for (const { reject } of pending.values())
      reject(new EngineUnavailable(`The search thread exited: ${reason}.`))
    pending.clear()
    ended.resolve(state.isClosing ? undefined : reason)
  })
  return {
    ended: ended.promise,
    send: async (request) => {
      if (state.hasExited || state.isClosing)
        throw new EngineUnavailable('The search thread has exited.')
      if (pending.size >= maxPendingRequests)
        throw new EngineBusy(`${pending.size} requests are pending. Retry later.`)
      const answer = Promise.withResolvers<EngineAnswer | undefined>()
      const id = ++lastId
      pending.set(id, answer)
      post({ ...request, id })
      return answer.promise
    },
    changed: changes.notify,
    close: async () => {
      state.isClosing = true
      if (!state.hasExited) post({ kind: 'close' })
      await ended.promise
    },
    end: (reason) => {
      // Several requests may time out.
      if (state.reason !== undefined) return
      state.reason = reason
      void worker.terminate()
    },
  }
}

/** Coalesces change notifications: at most one message is in flight. */
function createCoalescer(post: () => void) {
  // The thread reads once when it starts.
  const state = { isInFlight: true, isAgain: false }
  return {
    notify: () => {
      if (state.isInFlight) state.isAgain = true
      else {
        state.isInFlight = true
        post()
      }
    },
    acknowledge: () => {
      state.isInFlight = state.isAgain
      state.isAgain = false
      if (state.isInFlight) post()
    },
  }
}

/** A message to the search thread. */
export type Request =
  | { readonly kind: 'search'; readonly id: number; readonly query: EngineQuery }
  | { readonly kind: 'similar'; readonly id: number; readonly query: SimilarQuery }
  | { readonly kind: 'changed' }
  | { readonly kind: 'close' }

export type Reply =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: EngineAnswer | undefined }
  /** Fails one request; the thread continues. */
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
  /** Sent after the first catch-up, and after each change notification. */
  | { readonly kind: 'health'; readonly health: EngineHealth }
  /** For the log. */
  | { readonly kind: 'warning'; readonly message: string }
