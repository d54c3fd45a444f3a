import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Config, readConfig } from '../kernel/config/config.ts'
import { readEnvironment } from '../kernel/config/environment.ts'
import { assertSafeBind } from '../kernel/http/loopback.ts'
import { settingsSections } from './daemon.ts'

/**
 * Throws if a daemon could not start with the current variables and settings. Opens no database and
 * writes nothing, so another daemon may run. `freedPort` is the port of that daemon.
 */
export async function checkStart(freedPort: number): Promise<void> {
  const { listen, kernel } = await readConfig(readEnvironment(), settingsSections)
  assertSafeBind(listen.host, kernel.auth.mode)
  if (listen.port !== freedPort) await assertBindable(listen)
}

async function assertBindable(listen: Config['listen']): Promise<void> {
  const server = createServer()
  server.listen(listen)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
