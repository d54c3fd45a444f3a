import type { Caller } from '../../kernel/auth/caller.ts'
import type { DreamingNeeds } from './needs.ts'
import { readPass } from './read-pass.ts'
import { passEnded } from './refusals.ts'
import { failRunning } from './store/passes.ts'

const cancelledError = 'Cancelled'

/** Ends a running pass: it writes nothing, and its evidence is still new. */
export async function cancelPass(
  { active, db, host }: DreamingNeeds,
  { agentId }: Pick<Caller, 'agentId'>,
  id: string,
) {
  await readPass(db, agentId, id)
  const completedAt = host.now().toISOString()
  const ended = { completedAt, error: cancelledError }
  if (!(await failRunning(db, { agentId, id }, ended))) throw passEnded()
  if (active.current?.passId === id) active.current.control.abort(new Error(cancelledError))
  return { cancelled: true as const, passId: id }
}
