import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import type { Host } from '../host/host.ts'
import type { Log } from '../log/log.ts'
import { createBodyReader } from './body.ts'
import { corsHeaders, findPreflight } from './cors.ts'
import { createErrorHandler } from './errors.ts'
import { createPageGuard } from './loopback.ts'
import { assertOneHost } from './request-target.ts'
import { validatorCompiler } from './validation.ts'

export interface AppNeeds {
  readonly host: Host
  readonly log: Log
  /** Accepted host names in addition to the loopback names. */
  readonly allowedHosts?: readonly string[] | undefined
}

const requestIdHeader = 'x-svc-request-id'
const requestIdPattern = /^[!-~][ -~]{0,127}$/
/** Session keys are path parameters. No other parameter is longer. */
const maxParamLength = 1024

const throwNoCompiler = (): never => {
  throw new Error('No compiler of schemas is set.')
}
/** Prevents Fastify from loading its own large compilers before ours are set. */
const noCompilers = { buildValidator: throwNoCompiler, buildSerializer: throwNoCompiler }

/** Creates the Fastify instance with the rules for all requests, unknown paths included. */
export function createApp({ host, log, allowedHosts }: AppNeeds): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log.child({ category: 'api' })
  const handleError = createErrorHandler(host)
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs more than most requests save by it.
    childLoggerFactory: (logger) => logger,
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const requestId = headers[requestIdHeader]
      return typeof requestId === 'string' && requestIdPattern.test(requestId)
        ? requestId
        : host.newId()
    },
    routerOptions: { maxParamLength: maxParamLength },
    schemaController: { compilersFactory: noCompilers },
    frameworkErrors: (error, request, reply) => {
      handleError(error, request, reply)
    },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  app.decorateRequest('principal')
  app.decorateRequest('caller')
  app.removeAllContentTypeParsers()
  const bodies = createBodyReader(host)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, bodies.read)
  app.addHook('onClose', () => bodies.close())
  const assertKnownPage = createPageGuard(allowedHosts)
  app.addHook('onRequest', async ({ id, method, headers, raw }, reply) => {
    reply.headers({
      [requestIdHeader]: id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...corsHeaders(headers),
    })
    assertOneHost(raw)
    assertKnownPage(headers)
    const preflight = findPreflight(method, headers)
    if (preflight) return reply.code(204).headers(preflight).send()
  })
  return app
}
