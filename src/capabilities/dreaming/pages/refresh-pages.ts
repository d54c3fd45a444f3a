import { toCanonicalName } from '../../knowledge/index.ts'
import type { RenderedSource } from '../evidence/source.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { Pass, StagedOperation } from '../pass.ts'
import { buildPages } from './build-pages.ts'

interface Changes {
  readonly operations: readonly StagedOperation[]
  /** What the pass has read. */
  readonly sources: readonly RenderedSource[]
}

/** Pages follow the graph. The changes are written, so that a fault is only logged. */
export async function refreshPages(
  needs: DreamingNeeds,
  { id: passId, agentId }: Pick<Pass, 'id' | 'agentId'>,
  { operations, sources }: Changes,
): Promise<void> {
  if (!needs.config().pages || (operations.length === 0 && sources.length === 0)) return
  const touched = new Set(
    operations.flatMap(({ subject, facts }) => [
      toCanonicalName(subject),
      ...facts.map((fact) => fact.subject),
    ]),
  )
  await buildPages(needs, { agentId, touched, sources }).catch((err: unknown) =>
    needs.log.warn({ err, passId, agentId }, 'dreaming pages could not be built'),
  )
}
