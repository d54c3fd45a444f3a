import type { Log } from '../log/log.ts'
import type { ExtensionPoint } from './extension-point.ts'

/** Returns the results of all members in order. A member that throws is logged and omitted. */
export async function callMembers<Member, Result>(
  point: Pick<ExtensionPoint<Member>, 'name' | 'list'>,
  log: Pick<Log, 'warn'>,
  call: (member: Member) => Promise<Result>,
): Promise<Result[]> {
  const outcomes = await Promise.allSettled(point.list().map(call))
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return [outcome.value]
    log.warn({ err: outcome.reason, extensionPoint: point.name }, 'extension failed')
    return []
  })
}
