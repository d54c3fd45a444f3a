import type { Service } from './start-service.ts'

/** One operation as the OpenAPI document describes it, with its request and replies. */
export interface Described {
  readonly id: string
  readonly method: string
  /** Parameters in braces. */
  readonly path: string
  readonly query: readonly string[]
  /** Where the document holds the schema of a query parameter. */
  readonly queryAt: (name: string) => readonly string[]
  /** Undefined if the operation takes none. */
  readonly body: BodySchema | undefined
  /** Location of the body schema in the document. */
  readonly bodyAt: readonly string[]
  /** By status, or by `2XX`. */
  readonly responses: Readonly<Record<string, Response>>
}

export interface BodySchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, BodySchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly BodySchema[]
}

interface Response {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, object>>
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: BodySchema }>> }
  readonly responses: Described['responses']
}

const jsonType = 'application/json'

export async function readDocument(service: Pick<Service, 'ask'>): Promise<object> {
  return (await service.ask('GET /openapi.json')).body
}

export function listDescribed(document: object): readonly Described[] {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId: id, parameters = [], requestBody, responses } = operation
      const inQuery = parameters.filter((parameter) => parameter.in === 'query')
      return {
        id,
        method: method.toUpperCase(),
        path,
        responses,
        query: inQuery.map(({ name }) => name),
        queryAt: (wanted) => {
          const index = parameters.findIndex(({ name }) => name === wanted)
          return ['paths', path, method, 'parameters', String(index), 'schema']
        },
        body: requestBody?.content[jsonType]?.schema,
        bodyAt: ['paths', path, method, 'requestBody', 'content', jsonType, 'schema'],
      }
    }),
  )
}

/** Location of a reply schema in the document; undefined for an undocumented status. */
export function findReplyAt(
  { path, method, responses }: Described,
  status: number,
): readonly string[] | undefined {
  const name = status < 300 ? '2XX' : String(status)
  const response = responses[name]
  if (!response) return undefined
  const content = ['content', jsonType, 'schema']
  if (response.$ref) return [...response.$ref.slice(2).split('/'), ...content]
  return response.content?.[jsonType]
    ? ['paths', path, method.toLowerCase(), 'responses', name, ...content]
    : []
}
