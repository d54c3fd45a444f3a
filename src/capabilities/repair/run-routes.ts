import { invalidRequest, notFound } from '../../kernel/errors/refusal.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { isRepairName } from './actions.ts'
import type { RepairNeeds } from './needs.ts'
import { toRunReply } from './reply.ts'
import * as wire from './schemas.ts'
import { findRun, listRuns } from './store/runs.ts'

export function runRoutes({ db }: Pick<RepairNeeds, 'db'>): readonly Route[] {
  return [
    route({
      name: 'repair.runs',
      method: 'GET',
      path: '/api/repair/runs',
      permission: 'admin',
      summary: 'List the runs of repairs with their progress, the newest first.',
      query: wire.runsQuery,
      reply: wire.runsReply,
      handle: async ({ query: { cursor, limit, name, state } }) => {
        const action = name !== undefined && isRepairName(name) ? name : undefined
        const after = cursor === undefined ? undefined : readCursor(cursor)
        const runs = await listRuns(db, { action, state, after, limit })
        const last = runs.length === limit ? runs.at(-1) : undefined
        return {
          runs: runs.map(toRunReply),
          nextCursor: last ? `${last.startedAt}~${last.id}` : null,
        }
      },
    }),
    route({
      name: 'repair.run',
      method: 'GET',
      path: '/api/repair/runs/:id',
      permission: 'admin',
      summary: 'Read a run of a repair with its progress.',
      params: wire.runParams,
      reply: wire.runReply,
      handle: async ({ params: { id } }) => {
        const run = await findRun(db, id)
        if (!run) throw notFound('The run does not exist.', { id })
        return toRunReply(run)
      },
    }),
  ]
}

function readCursor(cursor: string) {
  const [startedAt = '', id] = cursor.split('~')
  if (id === undefined) throw invalidRequest('The cursor is invalid. Pass `nextCursor`.')
  return { startedAt, id }
}
