import { z } from 'zod'
import { Reply } from '../../kernel/http/route.ts'

export interface Accepted {
  readonly json: boolean
  readonly events: boolean
}

export const bothAccepted = 'application/json, text/event-stream'

/** Without the header everything is accepted. */
export function readAccepted(header: string | readonly string[] | undefined): Accepted {
  const accepted = String(header ?? '*/*').toLowerCase()
  const takes = (...kinds: readonly string[]) => kinds.some((kind) => accepted.includes(kind))
  return {
    json: takes('application/json', 'application/*', '*/*'),
    events: takes('text/event-stream', 'text/*', '*/*'),
  }
}

const id = z.union([z.string(), z.int(), z.null()])

/** One message of JSON-RPC, as the document describes it. */
export const message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  method: z.string(),
  params: z.looseObject({}).optional(),
})

const error = z.object({
  jsonrpc: z.literal('2.0'),
  error: z.looseObject({ code: z.int(), message: z.string() }),
  id,
})

/** Refusals of the transport itself are JSON-RPC too. */
export const errorReplies = { 400: error, 406: error, 413: error, 503: error }

/** The codes of JSON-RPC, and the one that is left to servers. */
const codes = { unreadable: -32_700, refused: -32_000 } as const

/** An error that answers no message in particular. */
export function toError(code: keyof typeof codes, message: string) {
  return { jsonrpc: '2.0', error: { code: codes[code], message }, id: null }
}

export function busy(): Reply<object> {
  const error = toError('refused', 'Too many concurrent requests. Retry.')
  return new Reply(503, error, { 'retry-after': '1' })
}

export function unacceptable(mediaType: string): Reply<object> {
  return new Reply(406, toError('refused', `Not acceptable: accept ${mediaType}.`))
}
