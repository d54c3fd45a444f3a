import { createExtensionPoint, type ExtensionPoint } from '../capability/extension-point.ts'

/** An extension point with these members, as after the construction of all capabilities. */
export function sealedPoint<Member>(...members: readonly Member[]): ExtensionPoint<Member> {
  const point = createExtensionPoint<Member>('test')
  for (const member of members) point.add(member)
  point.seal()
  return point
}
