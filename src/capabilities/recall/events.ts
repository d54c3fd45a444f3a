import type { Caller } from '../../kernel/auth/caller.ts'
import type { ReadScope } from '../../kernel/db/read-scope.ts'
import type { RecallRequest } from './schemas.ts'
import type { Timing } from './stopwatch.ts'

export interface RecallEvents {
  /** Never holds the words of the question. */
  'recall.performed': {
    readonly agentId: string
    readonly type: 'hybrid' | 'keyword' | 'temporal'
    readonly results: number
    readonly latencyMs: number
    readonly truncated: boolean
  }
  /** With all words: for who keeps them because a person wants it. */
  'recall.answered': {
    readonly caller: Caller
    readonly request: RecallRequest
    readonly sessionKey: string | undefined
    readonly readPolicy: ReadScope['policy']
    readonly method: string
    readonly shown: readonly {
      readonly row: {
        readonly id: string
        readonly score: number
        readonly source: string
        readonly content: string
        readonly content_length: number
        readonly truncated: boolean
      }
      readonly memory: { readonly id: string } | undefined
    }[]
    readonly timings: { readonly totalMs: number; readonly stages: readonly Timing[] }
  }
}
