import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { createProjections, ProjectionRequest } from './projection.ts'
import type { Runtime } from './runtime.ts'
import { toProjectionReply } from './schemas.ts'

interface Answering extends Pick<Runtime, 'needs'> {
  readonly projections: Pick<ReturnType<typeof createProjections>, 'read'>
}

/** A fault is answered as a projection that has failed; whoever asks again need not wait. */
export async function answerProjection(
  { needs, projections }: Answering,
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
