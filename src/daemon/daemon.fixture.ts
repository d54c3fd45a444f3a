import { readConfig } from '../kernel/config/config.ts'
import { readEnvironment } from '../kernel/config/environment.ts'
import { createLiveConfig } from '../kernel/config/live-config.ts'
import type { Database } from '../kernel/db/database.ts'
import { type Host, realHost } from '../kernel/host/host.ts'
import { createLog, openLog } from '../kernel/log/log.ts'
import { callerFor } from '../kernel/testing/caller-for.ts'
import { noChildLedger } from '../kernel/testing/no-child-ledger.ts'
import { temporaryFolder } from '../kernel/testing/temporary-folder.ts'
import { createDaemon, settingsSections } from './daemon.ts'

/** A daemon with all capabilities that never listens and runs no timer. */
export async function daemonFixture(database: Database, host: Host = realHost) {
  const folder = await temporaryFolder()
  const environment = readEnvironment({ SVC_PATH: folder })
  const ignore = () => undefined
  const daemon = await createDaemon({
    children: noChildLedger,
    database,
    host,
    log: createLog('silent'),
    entries: openLog({ level: 'silent' }),
    config: createLiveConfig({
      started: await readConfig(environment, settingsSections),
      environment,
      sections: settingsSections,
      host,
      onProblem: ignore,
      onFault: ignore,
    }),
    tokenSecret: Buffer.alloc(0),
    loop: { read: () => ({ p50Ms: 0, p99Ms: 0, maxMs: 0, slowest: null }) },
    self: {
      version: '0.1.0',
      workspace: folder,
      agentId: '',
      mode: '',
      bindHost: '',
      logDir: '',
      logPaths: [],
      engine: database.engine,
      databaseFile: null,
      databaseServer: null,
      startedAt: host.now(),
      port: () => null,
      stopping: () => false,
    },
  })
  await daemon.start()
  return {
    ...daemon,
    /** Calls an operation without parameters. */
    call: async (name: string): Promise<unknown> => {
      const route = daemon.routes.find((route) => route.name === name)
      return route?.handle({ caller: callerFor('ada') } as never)
    },
    /** Measures the figures that need a scan, as timers do. */
    measure: async () => {
      const { signal } = new AbortController()
      for (const { name, run } of daemon.schedules) if (name.endsWith('.measure')) await run(signal)
    },
  }
}
