import { assertAllProjects } from '../../../kernel/auth/permission.ts'
import { transaction } from '../../../kernel/db/transaction.ts'
import { type Route, route } from '../../../kernel/http/route.ts'
import type { OntologyNeeds } from '../needs.ts'
import * as wire from '../transfer-schemas.ts'
import { exportGraph } from './export-graph.ts'
import { importGraph } from './import-graph.ts'

/** Items of a request with their citations. */
const bodyLimit = 8_388_608

export function transferRoutes(needs: OntologyNeeds): readonly Route[] {
  const common = { bodyPrecondition: assertAllProjects } as const
  const writes = {
    ...common,
    method: 'POST',
    permission: 'modify',
    precondition: needs.memory.assertWritable,
  } as const
  return [
    route({
      ...common,
      name: 'ontology.export',
      method: 'GET',
      path: '/api/ontology/export',
      permission: 'recall',
      summary: 'Read the graph of an agent in pages, for an import.',
      query: wire.exportQuery,
      reply: wire.exportReply,
      handle: ({ caller: { agentId }, query: { cursor, limit } }) =>
        exportGraph(needs, { agentId, cursor, limit }),
    }),
    route({
      ...writes,
      name: 'ontology.import',
      path: '/api/ontology/import',
      bodyLimit,
      summary: 'Write items of an export into the graph of an agent; known items stay as they are.',
      body: wire.importBody,
      reply: wire.importReply,
      handle: ({ caller, body: { items } }) => importGraph(needs, caller, items),
    }),
    route({
      ...writes,
      name: 'ontology.rebuild-names',
      path: '/api/ontology/rebuild-names',
      summary: 'Rebuild the searchable names of an agent from its entities and aliases.',
      body: wire.rebuildBody,
      reply: wire.rebuildReply,
      handle: async ({ caller: { agentId } }) => ({
        entities: await transaction(needs.db, (db) =>
          needs.knowledge.exported.rebuildNames(db, agentId),
        ),
      }),
    }),
  ]
}
