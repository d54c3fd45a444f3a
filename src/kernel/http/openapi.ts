import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Route } from './route.ts'

const errors = {
  Invalid: [400, 'What was sent cannot be used.'],
  Unauthenticated: [401, 'No credential, or one that does not hold.'],
  Forbidden: [403, 'The credential does not reach this far.'],
  NotFound: [404, 'It is not there, or not for the caller to see.'],
  Conflict: [409, 'The state of things does not allow it.'],
  TooLarge: [413, 'The body is too large.'],
  Unsupported: [415, 'The body is not of the kind that is read here.'],
  TooMany: [429, 'Too many calls; `Retry-After` says when to come back.'],
  Internal: [500, 'A fault of the service, which is in its log.'],
  Unavailable: [503, 'Not now: starting, stopping, or a part is missing.'],
} as const

const errorBody = {
  type: 'object',
  required: ['error', 'code'],
  properties: { error: { type: 'string' }, code: { type: 'string' } },
  additionalProperties: true,
}

const securitySchemes = { bearer: { type: 'http' as const, scheme: 'bearer' } }

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly responses?: object
}

/** Before the routes are mounted: each is taken in as it comes. */
export async function registerOpenapi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'HTTP API', version },
      components: { securitySchemes },
    },
    transform: jsonSchemaTransform,
  })
}

/** The document as it is served: what each operation may refuse is named once and referred to. */
export function describeApi(app: FastifyInstance): object {
  const document = app.swagger() as unknown as Described
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const described = Object.entries(methods).map(([method, operation]) => [
      method,
      { ...operation, responses: { ...operation.responses, ...errorReferences } },
    ])
    return [path, Object.fromEntries(described)]
  })
  const components = {
    schemas: { Error: errorBody },
    responses: errorResponses,
    securitySchemes,
  }
  return { ...document, paths: Object.fromEntries(paths), components }
}

const errorReferences = Object.fromEntries(
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
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]),
)

/** What the library is told of a route; an alias is an operation of its own in the document. */
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
