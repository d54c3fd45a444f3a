import type { Db } from '../../kernel/db/database.ts'
import { type SourceRef, toRef } from './evidence/evidence.ts'
import type { Pass, StagedOperation } from './pass.ts'
import { saveExclusion } from './store/attention.ts'

interface Ended {
  readonly pass: Pick<Pass, 'id' | 'agentId'>
  readonly operations: readonly StagedOperation[]
  /** What the pass has read: sources of others are never touched. */
  readonly sources: readonly SourceRef[]
  readonly completedAt: string
}

const unsound = /^(?:quote|not_grounded|not_a_statement):/
const accepted: ReadonlySet<string> = new Set(['planned', 'applied', 'no_change', 'proposed'])

/** Leaves out sources from which only unsound operations came. One sound operation clears a source. */
export async function excludeSources(
  db: Db,
  { pass: { id: passId, agentId }, operations, sources, completedAt }: Ended,
): Promise<void> {
  const refsOf = (chosen: readonly StagedOperation[]) =>
    new Set(chosen.flatMap(({ evidence }) => evidence.map(toRef)))
  const sound = refsOf(operations.filter(({ state }) => accepted.has(state)))
  const bad = refsOf(operations.filter(({ error }) => unsound.test(error ?? '')))
  for (const source of sources) {
    const ref = toRef(source)
    if (!bad.has(ref) || sound.has(ref)) continue
    await saveExclusion(db, {
      agentId,
      sourceKind: source.sourceKind,
      sourceId: source.sourceId,
      reason: 'semantic_operation_rejected',
      passId,
      excludedAt: completedAt,
      requeueRequestedAt: null,
      resolvedAt: null,
    })
  }
}
