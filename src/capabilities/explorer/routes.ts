import { z } from 'zod'
import { type Route, route } from '../../kernel/http/route.ts'
import type { ExplorerNeeds } from './needs.ts'
import { createCounter, readSchema } from './read-schema.ts'
import { readSample } from './sample.ts'
import * as wire from './schemas.ts'

export function explorerRoutes(needs: ExplorerNeeds): readonly Route[] {
  const count = createCounter(needs)
  return [
    route({
      name: 'explorer.schema',
      method: 'GET',
      path: '/api/diagnostics/database/schema',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'List the tables of the database with their columns, indexes and row counts.',
      reply: wire.schemaReply,
      handle: () => readSchema(needs, count),
    }),
    route({
      name: 'explorer.sample',
      method: 'GET',
      path: '/api/diagnostics/database/tables/:table/sample',
      permission: 'diagnostics',
      requiresUnscoped: true,
      summary: 'List some rows of a table without credentials.',
      params: z.object({ table: z.string() }),
      query: wire.sampleQuery,
      reply: wire.sampleReply,
      handle: ({ params, query }) => readSample(needs, count, { ...params, ...query }),
    }),
  ]
}
