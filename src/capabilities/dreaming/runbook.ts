import { invalidRequest } from '../../kernel/errors/refusal.ts'
import type { DreamingNeeds } from './needs.ts'
import type { PassWriter } from './pass.ts'
import { listExclusions } from './store/attention.ts'
import { listOperations } from './store/operations.ts'
import { findPass, listPasses, updateRunbook } from './store/passes.ts'

const maxQuarantines = 100

/** What earlier passes did and left open, the newest first. */
export async function readRunbooks(
  { background: db }: DreamingNeeds,
  agentId: string,
  limit: number,
) {
  const passes = await listPasses(db, agentId, { limit: limit + 1 })
  const quarantines = (await listExclusions(db, agentId, maxQuarantines)).map(
    ({ sourceKind, sourceId, reason }) => ({ sourceKind, sourceId, reason }),
  )
  const ended = passes.filter(({ status }) => status !== 'running').slice(0, limit)
  const items = []
  for (const { id } of ended) {
    const pass = await findPass(db, agentId, id)
    if (!pass) continue
    const operations = await listOperations(db, pass.id)
    const applied = operations.filter(({ state }) => state === 'applied')
    const failed = operations.filter(({ state }) => state === 'failed' || state === 'refused')
    items.push({
      passId: pass.id,
      mode: pass.mode,
      status: pass.status,
      startedAt: pass.startedAt,
      completedAt: pass.completedAt,
      summary: pass.summary,
      error: pass.error,
      mutationsApplied: pass.appliedCount,
      mutationsFailed: pass.failedCount,
      operations: {
        applied: Object.fromEntries(countBy(applied.map(({ operation }) => operation))),
        failed: [...countBy(failed.map(({ operation, error }) => `${operation}\n${error}`))].map(
          ([key, count]) => {
            const [operation = '', error = ''] = key.split('\n')
            return { operation, error, count }
          },
        ),
      },
      evidenceWindow: {
        cursor: pass.window.cursor,
        sources: pass.window.sources.map((source) => ({
          sourceRef: `${source.sourceKind}:${source.sourceId}`,
          ...source,
          sourcePath: null,
        })),
      },
      runbook: pass.runbook,
      quarantines,
    })
  }
  return items
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** Writes the note of a pass that runs for this agent. */
export function createRunbookWriter(
  { db }: DreamingNeeds,
  { agentId, passId }: { readonly agentId: string; readonly passId: string },
): PassWriter {
  return {
    passId,
    writeRunbook: async (runbook) => {
      const isSaved = await updateRunbook(db, { agentId, passId, runbook: JSON.stringify(runbook) })
      if (!isSaved) throw invalidRequest('Dreaming pass is not running in this agent scope')
    },
  }
}
