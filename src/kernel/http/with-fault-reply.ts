import type { Log } from '../log/log.ts'
import { toRefusal } from './errors.ts'
import { Answer } from './route.ts'

/** Replies 500 with this body on a fault. Refusals pass through. */
export async function withFaultReply<Reply, Failed>(
  body: Failed,
  log: Log,
  work: () => Promise<Reply>,
): Promise<Reply | Answer<Failed>> {
  try {
    return await work()
  } catch (error) {
    if (toRefusal(error)) throw error
    log.error({ err: error }, 'fault')
    return new Answer(500, body)
  }
}
