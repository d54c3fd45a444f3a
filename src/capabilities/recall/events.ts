import type { Caller } from '../../kernel/auth/caller.ts'
import type { ReadScope } from '../../kernel/auth/read-scope.ts'
import { defineEvent } from '../../kernel/events/events.ts'
import type { RecallRequest } from './schemas.ts'
import type { Timing } from './stopwatch.ts'

/** Contains no query text. */
export const recallPerformed = defineEvent<{
  readonly agentId: string
  readonly type: 'hybrid' | 'keyword' | 'temporal'
  readonly results: number
  readonly latencyMs: number
  readonly truncated: boolean
}>('recall.performed')

/** Contains the query text and the contents of the rows. */
export const recallAnswered = defineEvent<{
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
}>('recall.answered')
