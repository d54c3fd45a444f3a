import type { FastifyInstance } from 'fastify'
import { isLocalPeer } from '../auth/authenticate.ts'
import { Refusal } from '../errors/refusal.ts'
import { type LoopMonitor, toEventLoop } from '../host/loop-monitor.ts'
import { type AppNeeds, createApp } from './app.ts'
import { sendStarting } from './static-pages.ts'

const retryDelayMs = 1000

/** Serves health before the database is open: alive and not ready. Refuses all other requests. */
export async function createStartingApp(
  needs: AppNeeds & { readonly version?: string | undefined },
  loop: LoopMonitor,
): Promise<FastifyInstance> {
  const app = createApp(needs)
  const { version } = needs
  const state = { status: 'starting', version, shuttingDown: false }
  app.get('/health/live', async ({ socket }) => {
    const eventLoop = toEventLoop(loop.read())
    const own = isLocalPeer(socket.remoteAddress ?? '') ? { pid: process.pid } : {}
    return { ...state, uptime: process.uptime(), ...own, port: socket.localPort, eventLoop }
  })
  for (const path of ['/health', '/health/ready'])
    app.get(path, async (_, reply) =>
      reply.code(503).send({ ...state, status: 'not_ready', checks: {}, reasons: ['starting'] }),
    )
  app.get('/', (_, reply) => sendStarting(reply, version ?? '1'))
  app.addHook('onRequest', async ({ is404 }) => {
    if (!is404) return
    const retryAfter = needs.host.now().getTime() + retryDelayMs
    throw new Refusal('unavailable', 'starting', 'The service is starting.', { retryAfter })
  })
  await app.ready()
  return app
}

/**
 * While stopping, health still replies, other requests are refused and each connection closes after
 * its reply.
 */
export function addStoppingGuard(app: FastifyInstance, stopping: AbortSignal): void {
  app.addHook('onRequest', async ({ url }) => {
    if (stopping.aborted && !url.startsWith('/health'))
      throw new Refusal('unavailable', 'stopping', 'The service is stopping.')
  })
  app.addHook('onSend', async (_, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })
}
