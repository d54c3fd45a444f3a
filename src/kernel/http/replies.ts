import type { FastifyInstance } from 'fastify'
import type { Caller } from '../auth/caller.ts'
import type { Log } from '../log/log.ts'
import { toRefusal } from './errors.ts'
import { Reply, type Route } from './route.ts'

/** One reply, of a request or of an operation that another one invokes. */
export interface Replied {
  /** Absent for a path without an operation. */
  readonly route: Route | undefined
  readonly status: number
  readonly ms: number
  /** Absent for a request that is refused before its caller is known. */
  readonly caller: Caller | undefined
  /** The request belongs to another operation, which is reported separately. */
  readonly isInvoked: boolean
}

export type OnReply = (replied: Replied) => void

/** Reports each reply after it is sent. */
export function reportReplies(app: FastifyInstance, onReply: OnReply): void {
  app.addHook('onResponse', (request, reply, done) => {
    onReply({
      route: request.routeOptions.config.route,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      caller: request.getDecorator<Caller | undefined>('caller'),
      isInvoked: false,
    })
    done()
  })
}

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
