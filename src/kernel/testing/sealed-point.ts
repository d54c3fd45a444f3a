import { createExtensionPoint, type ExtensionPoint } from '../capability/extension-point.ts'

/** Creates a sealed extension point with these members. */
export function sealedPoint<Member>(...members: readonly Member[]): ExtensionPoint<Member> {
  const point = createExtensionPoint<Member>('test')
  for (const member of members) point.add(member)
  point.seal()
  return point
}
