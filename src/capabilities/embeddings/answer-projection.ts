import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { ProjectionRequest } from './projection.ts'
import type { RouteNeeds } from './routes.ts'
import { toProjectionReply } from './schemas.ts'

/** A fault is answered as a projection that has failed; whoever asks again need not wait. */
export async function answerProjection(
  { needs, projections }: Pick<RouteNeeds, 'needs' | 'projections'>,
  caller: Caller,
  request: ProjectionRequest,
) {
  const { dimensions } = request
  try {
    return toProjectionReply(await projections.read(caller, request), dimensions)
  } catch (error) {
    if (error instanceof Refusal) throw error
    needs.log.error({ err: error }, 'fault')
    return toProjectionReply({ status: 'error', message: 'Failed to load embeddings' }, dimensions)
  }
}
