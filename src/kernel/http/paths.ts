import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound } from '../errors/refusal.ts'
import { MethodRefusal } from './errors.ts'

/**
 * Refuses unknown paths and methods before the body is read. Call it before the routes are added.
 */
export function registerNotFound(app: FastifyInstance): void {
  const mounted: { readonly method: string; readonly pattern: RegExp }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = toPattern(url)
    for (const name of [method].flat()) mounted.push({ method: name, pattern })
  })
  app.addHook('onRequest', async (request) => {
    if (!request.is404) return
    const path = toPath(request)
    const methods = mounted.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0) throw notFound('Not found')
    throw new MethodRefusal([...new Set(methods)].sort())
  })
}

/** Returns the decoded path without scheme, host and query, as the router reads it. */
function toPath({ url }: FastifyRequest): string {
  const [path = ''] = url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)
  return decodeURI(path)
}

function toPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
}

/** `/models/*id` takes the rest of a path, slashes included, as the parameter `id`. */
const wildcard = /\*(?<name>\w+)$/

/** Returns the path as the router reads it. */
export function toRouterPath(path: string): string {
  return path.replace(wildcard, '*')
}

/** Gives the rest of the path its name before the parameters are validated. */
export function nameWildcard(request: FastifyRequest, path: string): void {
  const name = wildcard.exec(path)?.groups?.['name']
  if (name === undefined) return
  const { '*': rest, ...params } = Object(request.params)
  request.params = { ...params, [name]: rest }
}
