import type { Service } from './start-service.ts'

/** One text that an operation takes, wherever it stands in the request. */
export interface TextField {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly in: 'path' | 'query' | 'body'
  /** From the request to the field; `[]` is an element of a list, `{}` an entry of an object. */
  readonly name: string
  /** The request with this text in the field; all else is left out. */
  readonly fill: (text: string) => unknown
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Described {
  readonly operationId: string
  readonly parameters?: readonly { in: 'path' | 'query'; name: string; schema: Schema }[]
  readonly requestBody?: { content: { 'application/json': { schema: Schema } } }
}

/** Says no more than that a text is needed. */
const notBlank = '\\S'

type Found = Pick<TextField, 'name' | 'fill'>

/** Every field of the API that takes any text, read from the document that the service serves. */
export async function listTextFields(service: Pick<Service, 'ask'>): Promise<TextField[]> {
  const { paths } = (await service.ask('GET /openapi.json')).body
  const operations = Object.entries(paths as Record<string, Record<string, Described>>)
  return operations.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, parameters = [], requestBody }]) => {
      const of = { operationId, method: method.toUpperCase(), path }
      const inAddress = parameters.flatMap(({ in: where, name, schema }) =>
        findTexts(schema).map((found) => ({ ...of, ...found, in: where, name })),
      )
      const body = requestBody?.content['application/json'].schema ?? { type: 'null' }
      return [
        ...inAddress,
        ...findTexts(body).map((found) => ({ ...of, ...found, in: 'body' as const })),
      ]
    }),
  )
}

/** A schema that says nothing takes a text, and an object with any names. */
function findTexts(schema: Schema): Found[] {
  const { properties = {}, additionalProperties, items, anyOf = [], type, format, pattern } = schema
  const types = [type ?? []].flat()
  const isAny = Object.keys(schema).every((key) => key === 'default')
  const isText =
    types.includes('string') && !schema.enum && !format && (!pattern || pattern === notBlank)
  const isOpen = typeof additionalProperties === 'object' && isEmpty(additionalProperties)
  return [
    ...(isText || isAny ? [{ name: '', fill: (text: string) => text }] : []),
    ...(isOpen || isAny
      ? [{ name: '{}', fill: (text: string) => ({ [text]: [{ [text]: text }] }) }]
      : []),
    ...Object.entries(properties).flatMap(([key, inner]) =>
      nest(findTexts(inner), key, (value) => ({ [key]: value })),
    ),
    ...(items ? nest(findTexts(items), '[]', (value) => [value]) : []),
    ...anyOf.flatMap(findTexts),
  ].filter((found, at, all) => all.findIndex(({ name }) => name === found.name) === at)
}

function nest(found: readonly Found[], key: string, wrap: (value: unknown) => unknown): Found[] {
  return found.map(({ name, fill }) => ({
    name: [key, name].filter((part) => part !== '').join('.'),
    fill: (text) => wrap(fill(text)),
  }))
}

function isEmpty(schema: object): boolean {
  return Object.keys(schema).length === 0
}
