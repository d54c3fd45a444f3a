import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Refusal } from '../errors/refusal.ts'

/** `openai` is the error body that official OpenAI clients parse. */
export type ErrorShape = 'service' | 'openai'

interface ErrorReply {
  readonly status: number
  readonly refusal: Pick<Refusal, 'code' | 'message' | 'details'>
}

/** Requests to this path and below have the shape `openai` before their route is known. */
const openaiPath = /^(?:https?:\/\/[^/?#]*)?\/v1(?:[/?#]|$)/i

/** The documented body of the shape `openai`. */
export const openaiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
})

const openaiTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

export function findErrorShape({ url, routeOptions }: FastifyRequest): ErrorShape {
  const isOpenai = openaiPath.test(decodeLeniently(url))
  return routeOptions.config?.route?.errorShape ?? (isOpenai ? 'openai' : 'service')
}

export function toErrorBody(shape: ErrorShape, { status, refusal }: ErrorReply): object {
  const { code, message } = refusal
  const { shouldRetry: _, ...details } = refusal.details
  if (shape === 'service') return { error: message, code, ...details }
  const type = openaiTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
  const hasDetails = Object.keys(details).length > 0
  const error = { message, type, param: findParam(details), code }
  return { error: { ...error, ...(hasDetails && { details }) } } satisfies z.input<
    typeof openaiError
  >
}

/** The first invalid field. */
function findParam({ issues }: Refusal['details']): string | null {
  const [first] = Array.isArray(issues) ? issues : []
  const at: unknown = Object(first).at
  return typeof at === 'string' && at !== '' ? at : null
}

/** A malformed path is refused as it is. */
function decodeLeniently(url: string): string {
  try {
    return decodeURI(url)
  } catch {
    return url
  }
}
