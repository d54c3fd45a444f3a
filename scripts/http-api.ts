import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { createDaemon, slices } from '../src/daemon/daemon.ts'
import { readConfig } from '../src/kernel/config/config.ts'
import { readEnvironment } from '../src/kernel/config/environment.ts'
import { createLiveConfig } from '../src/kernel/config/live-config.ts'
import { openSqlite } from '../src/kernel/db/sqlite/open-sqlite.ts'
import type { Route } from '../src/kernel/http/route.ts'
import { createLog, openLog } from '../src/kernel/log/log.ts'
import { fixedHost } from '../src/kernel/testing/fixed-host.ts'

if (import.meta.main) await writeFile('docs/http-api.md', await renderHttpApi())

/** The reference of the HTTP API, from the route table that the daemon serves. */
export async function renderHttpApi(): Promise<string> {
  const routes = await readRoutes()
  return `# HTTP API\n\nWritten by \`npm run docs\`.\n\n${routes.map(renderRoute).join('\n')}`
}

async function readRoutes(): Promise<readonly Route[]> {
  const folder = await mkdtemp(join(tmpdir(), 'reverie-docs-'))
  const file = join(folder, 'docs.db')
  const environment = readEnvironment({ SVC_PATH: folder })
  const ignore = () => undefined
  const database = await openSqlite({ file, synchronous: 'normal' })
  try {
    const { routes, settled } = await createDaemon({
      database,
      host: fixedHost(),
      log: createLog('silent'),
      entries: openLog({ level: 'silent' }),
      config: createLiveConfig({
        ...{ started: readConfig(environment, slices), environment, slices, host: fixedHost() },
        ...{ onProblem: ignore, onFault: ignore },
      }),
      secret: Buffer.alloc(0),
      loop: { read: () => ({ p50Ms: 0, p99Ms: 0, maxMs: 0, slowest: null }) },
      self: {
        ...{ version: '', workspace: folder, agentId: '', mode: '', bindHost: '', logDir: '' },
        ...{ engine: database.engine, databaseFile: null, startedAt: fixedHost().now() },
        ...{ port: () => null, stopping: () => false },
      },
    })
    await settled()
    return routes
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
}

function renderRoute({ name, method, path, permission, params, query, body }: Route): string {
  const parts = Object.entries({ path: params, query, body })
  const rows = parts.flatMap(([part, schema]) => (schema ? renderFields(part, schema) : []))
  const heading = ['| in | field | type | |', '|---|---|---|---|']
  const table = rows.length > 0 ? [...heading, ...rows, ''] : []
  const intro = `\`${name}\`, permission \`${permission}\``
  return [`## ${method} ${path}`, '', intro, '', ...table].join('\n')
}

function renderFields(part: string, schema: z.ZodType): string[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([field, type]) => {
    const needed = required.includes(field) ? 'required' : ''
    return `| ${part} | \`${field}\` | ${renderType(type)} | ${needed} |`
  })
}

function renderType(type: z.core.JSONSchema._JSONSchema): string {
  if (typeof type === 'boolean') return 'anything'
  if (type.enum) return type.enum.map((value) => `\`${value}\``).join(', ')
  return type.anyOf
    ? type.anyOf.map(renderType).join(' or ')
    : [type.type ?? 'anything'].flat().join(' or ')
}
