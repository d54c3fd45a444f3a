import type { Log } from '../log/log.ts'

/** A list that one capability owns and others extend while the daemon is constructed. */
export interface ExtensionPoint<Member> {
  readonly name: string
  /** Throws once the list is sealed. */
  add(member: Member): void
  /** Returns the members in the order of `add`. Throws before the list is sealed. */
  list(): readonly Member[]
  /** Called once, after all capabilities are constructed. */
  seal(): void
}

export function createExtensionPoint<Member>(name: string): ExtensionPoint<Member> {
  const members: Member[] = []
  let sealed = false
  return {
    name,
    add: (member) => {
      if (sealed) throw new Error(`${name} is sealed: add its members during construction.`)
      members.push(member)
    },
    list: () => {
      if (!sealed) throw new Error(`${name} is not sealed: read it after construction.`)
      return members
    },
    seal: () => {
      sealed = true
    },
  }
}

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
