import type { Service } from './start-service.ts'

/** One text field of an operation, anywhere in the request. */
export interface TextField {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly in: 'path' | 'query' | 'body'
  /** Path from the request to the field; `[]` is a list element, `{}` an object entry. */
  readonly name: string
  /** The request with this text in the field and no other optional field. */
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
  readonly requestBody?: { content: { 'application/json'?: { schema: Schema } } }
}

/** The schema requires only a text. */
const notBlank = '\\S'

type Found = Pick<TextField, 'name' | 'fill'>

/** Lists all fields of the API that accept any text, from the served document. */
export async function listTextFields(service: Pick<Service, 'ask'>): Promise<TextField[]> {
  const { paths } = (await service.ask('GET /openapi.json')).body
  const operations = Object.entries(paths as Record<string, Record<string, Described>>)
  return operations.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, parameters = [], requestBody }]) => {
      const of = { operationId, method: method.toUpperCase(), path }
      const inAddress = parameters.flatMap(({ in: where, name, schema }) =>
        findTexts(schema).map((found) => ({ ...of, ...found, in: where, name })),
      )
      const body = requestBody?.content['application/json']?.schema ?? { type: 'null' }
      return [
        ...inAddress,
        ...findTexts(body).map((found) => ({ ...of, ...found, in: 'body' as const })),
      ]
    }),
  )
}

/** A schema without constraints accepts a text, and an object with any keys. */
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
