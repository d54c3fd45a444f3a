import type { Service } from './start-service.ts'

/** What the document says of one operation and of the fields that it takes. */
export interface Described {
  readonly id: string
  readonly method: string
  /** Parameters in braces. */
  readonly path: string
  readonly query: readonly Field[]
  /** Nothing where the operation takes none. */
  readonly body: readonly Field[] | undefined
}

export interface Field {
  readonly name: string
  readonly isRequired: boolean
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { in: string; name: string; required?: boolean }[]
  readonly requestBody?: { content: { 'application/json': { schema: Schema } } }
}

interface Schema {
  readonly properties?: Record<string, unknown>
  readonly required?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export async function describeOperations(service: Service): Promise<readonly Described[]> {
  const { paths } = (await service.ask('GET /openapi.json')).body as unknown as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, parameters = [], requestBody } = operation
      const body = requestBody?.content['application/json'].schema
      return {
        ...{ id: operationId, method: method.toUpperCase(), path },
        query: parameters
          .filter((parameter) => parameter.in === 'query')
          .map(({ name, required }) => ({ name, isRequired: required === true })),
        body: body && listFields(body),
      }
    }),
  )
}

function listFields({ properties, required = [], anyOf, allOf }: Schema): readonly Field[] {
  const nested = [...(anyOf ?? []), ...(allOf ?? [])].flatMap(listFields)
  const own = Object.keys(properties ?? {}).map((name) => ({
    name,
    isRequired: required.includes(name),
  }))
  return [...new Map([...nested, ...own].map((field) => [field.name, field])).values()]
}
