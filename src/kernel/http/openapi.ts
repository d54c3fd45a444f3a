import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { openaiError } from './error-shape.ts'
import type { Route } from './route.ts'

const errors = {
  Invalid: [400, 'The path, the query or the body is invalid.'],
  Unauthenticated: [401, 'The credential is missing, invalid or expired.'],
  Forbidden: [403, 'The credential does not permit this operation.'],
  NotFound: [404, 'The resource does not exist, or the caller cannot read it.'],
  Conflict: [409, 'The state of the resource does not permit this operation.'],
  TooLarge: [413, 'The body is too large.'],
  Unsupported: [415, 'The content type or the encoding of the body is not supported.'],
  TooMany: [429, 'Too many requests. Retry after the seconds in `Retry-After`.'],
  Internal: [500, 'An internal error. The log of the service has the details.'],
  Unavailable: [503, 'The service is starting or stopping, or a component is unavailable.'],
} as const

const errorBody = {
  type: 'object',
  required: ['error', 'code'],
  properties: { error: { type: 'string' }, code: { type: 'string' } },
  additionalProperties: true,
}

/** Operations with their own fault body have the field `error` too. */
const faultBody = { ...errorBody, required: ['error'] }

const securitySchemes = { bearer: { type: 'http' as const, scheme: 'bearer' } }

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly operationId: string
  readonly responses?: Readonly<Record<string, object>>
  readonly requestBody?: object
  readonly parameters?: readonly object[]
}

/** Call this before the routes are mounted, because it collects them as they are added. */
export async function registerOpenapi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'HTTP API', version },
      components: { securitySchemes },
    },
    transform: (page) => {
      const { schema, url } = jsonSchemaTransform(page)
      const path = page.route.config?.route?.path ?? url
      return { schema, url: url.endsWith('*') ? path.replace(/\*(\w+)$/, ':$1') : url }
    },
  })
}

/** Returns the served document. Error responses are defined once and referenced. */
export function describeApi(app: FastifyInstance, routes: readonly Route[]): object {
  const document = app.swagger() as unknown as Described
  const byName = new Map(routes.map((route) => [route.name, route]))
  const describe = (operation: Operation) =>
    describeOperation(operation, byName.get(operation.operationId.replace(/\.\d+$/, '')))
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const described = Object.entries(methods).map(([method, operation]) => [
      method,
      describe(operation),
    ])
    return [path, Object.fromEntries(described)]
  })
  const isOpenai = routes.some(({ errorShape }) => errorShape === 'openai')
  const components = {
    schemas: {
      Error: errorBody,
      Fault: faultBody,
      ...(isOpenai && { OpenaiError: toJsonSchema(openaiError, 'output') }),
    },
    responses: errorResponses,
    securitySchemes,
  }
  return { ...document, paths: Object.fromEntries(paths), components }
}

function describeOperation({ responses = {}, ...operation }: Operation, route?: Route): object {
  // Without a reply schema the library documents only status 200; the operation may use others.
  const { 200: unnamed, ...named } = responses
  const success = unnamed && { '2XX': { description: 'Success' } }
  const requestBody = route && describeBody(operation.requestBody, route)
  const headers = describeHeaders(route)
  const parameters = [...(operation.parameters ?? []), ...headers]
  return {
    ...operation,
    ...(headers.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: { ...named, ...success, ...describeErrors(route), ...describeReplies(route) },
  }
}

/** The body is optional where an empty object is valid. */
function describeBody(
  described: object | undefined,
  { accepts, body, rawJson: anyJson, describedBytes }: Route,
): object | undefined {
  if (accepts === 'bytes') return { required: true, content: describeBytes(describedBytes) }
  if (anyJson)
    return { required: true, content: toContent(toJsonSchema(anyJson.described, 'input')) }
  return described && { ...described, required: !body?.safeParse({}).success }
}

function describeBytes({ form }: NonNullable<Route['describedBytes']> = {}): object {
  return form
    ? { 'multipart/form-data': { schema: toJsonSchema(form, 'input') } }
    : { 'application/octet-stream': {} }
}

function describeHeaders(route: Route | undefined): readonly object[] {
  const { headers } = route?.describedBytes ?? {}
  return Object.entries(headers?.shape ?? {}).map(([name, field]) => ({
    in: 'header',
    name,
    required: !field.safeParse(undefined).success,
    schema: toJsonSchema(field, 'input'),
  }))
}

/** A reply with the status of an error may have either schema. */
function describeErrors({ errorShape = 'service' }: Partial<Route> = {}): object {
  if (errorShape === 'service') return errorReferences
  const content = toContent({ $ref: '#/components/schemas/OpenaiError' })
  const described = Object.values(errors).map(([status, description]) => [
    status,
    { description, content },
  ])
  return Object.fromEntries(described)
}

function describeReplies({ otherReplies = {} }: Partial<Route> = {}): object {
  const described = Object.entries(otherReplies).map(([status, reply]) => {
    const own = toJsonSchema(reply, 'output')
    const schema = errorReferences[status] ? { anyOf: [own, errorReference] } : own
    return [status, { description: 'The reply of this operation.', content: toContent(schema) }]
  })
  return Object.fromEntries(described)
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io })
  return described
}

function toContent(schema: object): object {
  return { 'application/json': { schema } }
}

const errorReference = { $ref: '#/components/schemas/Error' }
const faultReference = { $ref: '#/components/schemas/Fault' }

const errorReferences: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(errors).map(([name, [status]]) => [
    status,
    { $ref: `#/components/responses/${name}` },
  ]),
)

const errorResponses = Object.fromEntries(
  Object.entries(errors).map(([name, [, description]]) => [
    name,
    {
      description,
      content: toContent(name === 'Internal' ? faultReference : errorReference),
    },
  ]),
)

/** Returns the schema of a route for the library. Each alias is an operation of its own. */
export function toSchema(route: Route, alias: number) {
  const { name, permission, summary, params, query, body, reply } = route
  const { requiresUnscoped, requiresLocal } = route
  return {
    operationId: alias === 0 ? name : `${name}.${alias + 1}`,
    tags: name.split('.').slice(0, 1),
    'x-permission': permission,
    ...(requiresUnscoped && { 'x-requires-unscoped': true }),
    ...(requiresLocal && { 'x-requires-local': true }),
    security: permission === 'open' ? [] : [{ bearer: [] }],
    ...(summary && { summary }),
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...(reply && { response: { '2xx': reply } }),
  }
}
