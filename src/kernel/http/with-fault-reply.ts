import type { Log } from '../log/log.ts'
import { toRefusal } from './errors.ts'
import { Reply } from './route.ts'

/** Logs a fault and replies 500 with this body. Refusals, database refusals included, are rethrown. */
export async function withFaultReply<Result, Body>(
  body: Body,
  log: Log,
  work: () => Promise<Result>,
): Promise<Result | Reply<Body>> {
  try {
    return await work()
  } catch (error) {
    if (toRefusal(error)) throw error
    log.error({ err: error }, 'fault')
    return new Reply(500, body)
  }
}
