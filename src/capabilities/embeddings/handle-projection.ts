import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { createProjections, ProjectionRequest } from './projection.ts'
import type { Runtime } from './runtime.ts'
import { toProjectionReply } from './schemas.ts'

interface ProjectionHandlerNeeds extends Pick<Runtime, 'needs'> {
  readonly projections: Pick<ReturnType<typeof createProjections>, 'read'>
}

/** A fault returns a failed projection; the caller may retry immediately. */
export async function handleProjection(
  { needs, projections }: ProjectionHandlerNeeds,
  caller: Caller,
  request: ProjectionRequest,
) {
  const { dimensions } = request
  try {
    return toProjectionReply(await projections.read(caller, request), dimensions)
  } catch (error) {
    if (error instanceof Refusal) throw error
    needs.log.error({ err: error }, 'projection read failed')
    return toProjectionReply({ status: 'error', message: 'Failed to load embeddings' }, dimensions)
  }
}
