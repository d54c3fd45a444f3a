import type { Service } from './start-service.ts'

/** One operation of the API, as the service describes it. */
export interface Operation {
  readonly name: string
  readonly method: string
  /** Parameters in braces. */
  readonly path: string
  readonly permission: string
  readonly 'x-requires-unscoped'?: boolean
  readonly 'x-requires-local'?: boolean
}

interface Described extends Pick<Operation, 'x-requires-unscoped' | 'x-requires-local'> {
  readonly operationId: string
  readonly 'x-permission': string
}

type Paths = Record<string, Record<string, Described>>

export async function listOperations(service: Pick<Service, 'ask'>): Promise<readonly Operation[]> {
  const { paths } = (await service.ask('GET /openapi.json')).body
  return Object.entries(paths as Paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId, 'x-permission': permission, ...more }]) => ({
        ...more,
        name: `${operationId} (${method.toUpperCase()} ${path})`,
        method: method.toUpperCase(),
        path,
        permission,
      }),
    ),
  )
}

/** The operation as `service.ask` accepts it, with one value for all parameters. */
export function callOf({ method, path }: Operation, value = 'some'): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, value)}`
}
