import { Worker } from 'node:worker_threads'
import {
  type EngineAnswer,
  EngineBusy,
  type EngineHealth,
  EngineLost,
  type EngineQuery,
  type SimilarQuery,
} from '../engine.ts'

export type Question =
  | { readonly kind: 'search'; readonly query: EngineQuery }
  | { readonly kind: 'similar'; readonly query: SimilarQuery }

/** What a thread runs, and what it is started with. */
export interface Program {
  readonly file: URL
  readonly options: object
}

/** The search in a thread of its own. */
export interface SearchThread {
  /** Kept once nothing of the thread is left; says why, unless it was told to close. */
  readonly ended: Promise<string | undefined>
  ask(question: Question): Promise<EngineAnswer | undefined>
  changed(): void
  close(): Promise<void>
  /** Without waiting for what it is at. */
  end(reason: string): void
}

interface Listeners {
  readonly onHealth: (health: EngineHealth) => void
  readonly onTrouble: (message: string) => void
}

const waitingAtMost = 1000
/** Room for what a question leaves behind; with more of it a thread is no faster. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 }

export function startSearchThread(
  { file, options }: Program,
  { onHealth, onTrouble }: Listeners,
): SearchThread {
  const worker = new Worker(file, { workerData: options, resourceLimits })
  const waiting = new Map<number, PromiseWithResolvers<EngineAnswer | undefined>>()
  const ended = Promise.withResolvers<string | undefined>()
  const state: { reason?: string; closing?: true; gone?: true } = {}
  const news = createNews(() => send({ kind: 'changed' }))
  let questions = 0

  const send = (request: Request) => worker.postMessage(request)
  worker.on('message', (reply: Reply) => {
    if (reply.kind === 'health') {
      news.heard()
      onHealth(reply.health)
      return
    }
    if (reply.kind === 'trouble') {
      onTrouble(reply.message)
      return
    }
    const { resolve, reject } = waiting.get(reply.id) ?? {}
    waiting.delete(reply.id)
    if (reply.kind === 'answer') resolve?.(reply.answer)
    else reject?.(new Error(`The search failed: ${reply.message}`))
  })
  worker.on('error', (error) => {
    state.reason = String(error)
  })
  worker.on('messageerror', () => worker.terminate())
  worker.once('exit', () => {
    state.gone = true
    const { reason = 'it was ended' } = state
    for (const { reject } of waiting.values())
      reject(new EngineLost(`The search thread is gone: ${reason}.`))
    waiting.clear()
    ended.resolve(state.closing ? undefined : reason)
  })
  return {
    ended: ended.promise,
    ask: async (question) => {
      if (state.gone || state.closing) throw new EngineLost('The search thread is gone.')
      if (waiting.size >= waitingAtMost)
        throw new EngineBusy(`${waiting.size} questions are waiting already.`)
      const answer = Promise.withResolvers<EngineAnswer | undefined>()
      const id = ++questions
      waiting.set(id, answer)
      send({ ...question, id })
      return answer.promise
    },
    changed: news.tell,
    close: async () => {
      state.closing = true
      if (!state.gone) send({ kind: 'close' })
      await ended.promise
    },
    end: (reason) => {
      // Every question that waits may say so.
      if (state.reason !== undefined) return
      state.reason = reason
      void worker.terminate()
    },
  }
}

/** However often there is news, no more than one message is under way; it is heard when answered. */
function createNews(send: () => void) {
  // The thread reads once by itself when it starts.
  const state = { underWay: true, more: false }
  return {
    tell: () => {
      if (state.underWay) state.more = true
      else {
        state.underWay = true
        send()
      }
    },
    heard: () => {
      state.underWay = state.more
      state.more = false
      if (state.underWay) send()
    },
  }
}

/** What a thread that searches is asked. */
export type Request =
  | { readonly kind: 'search'; readonly id: number; readonly query: EngineQuery }
  | { readonly kind: 'similar'; readonly id: number; readonly query: SimilarQuery }
  | { readonly kind: 'changed' }
  | { readonly kind: 'close' }

export type Reply =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: EngineAnswer | undefined }
  /** Nobody but who asked is told: the thread goes on. */
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }
  /** Once when it has read all there was, and once more for each time it was told of a change. */
  | { readonly kind: 'health'; readonly health: EngineHealth }
  /** For the log: something that is done without. */
  | { readonly kind: 'trouble'; readonly message: string }
