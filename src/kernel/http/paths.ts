import type { FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusal.ts'
import { MethodRefusal } from './errors.ts'
import type { Route } from './route.ts'

type Placed = Pick<Route, 'method' | 'path' | 'aliases'>

/** For a path that is there under another method, says which; else it is not there. */
export function createRefuseUnknown(routes: readonly Placed[]) {
  const placed = routes.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases].map((each) => ({ method, pattern: toPattern(each) })),
  )
  return ({ url }: FastifyRequest): never => {
    const [path = ''] = url.split('?')
    const methods = placed.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0) throw new Refusal('not_found', 'not_found', 'Not found')
    const allowed = new Set<string>(methods)
    if (allowed.has('GET')) allowed.add('HEAD')
    throw new MethodRefusal([...allowed].sort())
  }
}

function toPattern(path: string): RegExp {
  const escaped = path.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
}
