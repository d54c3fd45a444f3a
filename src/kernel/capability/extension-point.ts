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
