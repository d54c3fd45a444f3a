/** Also in `bin/reverie` and `package.json`. */
const minNode = [22, 19] as const

/** This module imports nothing, so that an old Node can load it. */
export function supportsNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor, minMinor] = minNode
  return major > minMajor || (major === minMajor && minor >= minMinor)
}

export function describeOldNode(version: string) {
  return {
    error: `Node ${version} is too old`,
    code: 'node_too_old',
    hint: `Install Node ${minNode.join('.')} or newer.`,
  }
}
