import type { FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusal.ts'
import type { Route } from './route.ts'

/** Looking at each field costs several times the parsing: only where one may have the name. */
const mayNamePrototype = /__proto__|\\u005f/i

/** Nearly every body is an object; one that is not is refused in the words of the operation. */
export async function readJsonBody(
  request: FastifyRequest,
  text: string | Buffer,
): Promise<unknown> {
  if (text.length === 0) return undefined
  const { route } = request.routeOptions.config
  const read = parse(String(text))
  if (route?.anyJson ? read !== undefined : isObject(read)) return read
  if (route?.badBody === 'empty') return {}
  throw new Refusal('invalid', 'invalid_json', route?.badBody?.error ?? 'Invalid JSON body')
}

function parse(text: string): unknown {
  try {
    return mayNamePrototype.test(text) ? JSON.parse(text, dropPrototypes) : JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(read: unknown): boolean {
  return typeof read === 'object' && read !== null && !Array.isArray(read)
}

/** A field of this name would become the prototype of whatever copies the body. */
function dropPrototypes(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route
  }
}
