import { Answer } from '../../kernel/http/route.ts'

/** The codes of JSON-RPC, and the one that is left to servers. */
const codes = { unreadable: -32_700, refused: -32_000 } as const

/** An error that answers no message in particular. */
export function toError(code: keyof typeof codes, message: string) {
  return { jsonrpc: '2.0', error: { code: codes[code], message }, id: null }
}

export function busy(): Answer<object> {
  const error = toError('refused', 'Too many requests at a time: try again.')
  return new Answer(503, error, { 'retry-after': '1' })
}

export function unacceptable(wanted: string): Answer<object> {
  return new Answer(406, toError('refused', `Not acceptable: accept ${wanted}.`))
}
