import { toRefusal } from '../../kernel/http/errors.ts'
import { Answer } from '../../kernel/http/route.ts'
import type { Log } from '../../kernel/log/log.ts'

/** A fault is answered in the shape of an empty result, for callers that look no further. */
export async function answerOr<Reply, Failed>(
  failed: Failed,
  log: Log,
  work: () => Promise<Reply>,
): Promise<Reply | Answer<Failed>> {
  try {
    return await work()
  } catch (error) {
    if (toRefusal(error)) throw error
    log.error({ err: error }, 'fault')
    return new Answer(500, failed)
  }
}
