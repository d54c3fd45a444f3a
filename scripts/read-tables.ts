import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDaemon, settingsSections } from '../src/daemon/daemon.ts'
import { readConfig } from '../src/kernel/config/config.ts'
import { readEnvironment } from '../src/kernel/config/environment.ts'
import { createLiveConfig } from '../src/kernel/config/live-config.ts'
import { openSqlite } from '../src/kernel/db/sqlite/open-sqlite.ts'
import type { Route } from '../src/kernel/http/route.ts'
import type { MountedTool } from '../src/kernel/http/tool.ts'
import { createLog, openLog } from '../src/kernel/log/log.ts'
import { fixedHost } from '../src/kernel/testing/fixed-host.ts'
import { noChildLedger } from '../src/kernel/testing/no-child-ledger.ts'

export interface Tables {
  readonly routes: readonly Route[]
  readonly tools: readonly MountedTool[]
}

/** Reads the routes and tools of a daemon that is constructed for this and never listens. */
export async function readTables(): Promise<Tables> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-docs-'))
  const file = join(folder, 'docs.db')
  const environment = readEnvironment({ SVC_PATH: folder })
  const ignore = () => undefined
  const database = await openSqlite({ file, synchronous: 'normal' })
  try {
    const { routes, tools, stop } = await createDaemon({
      children: noChildLedger,
      database,
      host: fixedHost(),
      log: createLog('silent'),
      entries: openLog({ level: 'silent' }),
      config: createLiveConfig({
        started: await readConfig(environment, settingsSections),
        environment,
        sections: settingsSections,
        host: fixedHost(),
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
        startedAt: fixedHost().now(),
        port: () => null,
        stopping: () => false,
      },
    })
    await stop()
    return { routes, tools }
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
}
