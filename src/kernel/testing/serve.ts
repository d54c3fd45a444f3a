import { onTestFinished } from 'vitest'
import type { Authenticate, Principal } from '../auth/authenticate.ts'
import type { Route } from '../http/route.ts'
import { createServer, type OpenOptions, type ServerNeeds } from '../http/server.ts'
import { createLog } from '../log/log.ts'
import { fixedHost } from './fixed-host.ts'

const trusted: Principal = { role: 'admin', scope: {}, claims: null, refusal: null, subject: 'me' }
const trustAll: Authenticate = () => trusted

/**
 * Starts a real server with these routes on a free port until the end of the test. Returns its URL.
 */
export async function serve(
  routes: readonly Route[],
  needs: Partial<ServerNeeds & Omit<OpenOptions, 'routes'>> = {},
): Promise<string> {
  const server = await createServer({ host: fixedHost(), log: createLog('silent'), ...needs })
  onTestFinished(() => server.close())
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  await server.open({ authenticate: trustAll, ...needs, routes })
  return url
}
