/** Also in `bin/reverie` and `package.json`. */
const minMajor = 24

/** This module imports nothing, so that an old Node can load it. */
export function supportsNode(version: string): boolean {
  return Number.parseInt(version, 10) >= minMajor
}

export function describeOldNode(version: string) {
  return {
    error: `Node ${version} is too old`,
    code: 'node_too_old',
    hint: `Install Node ${minMajor} or newer.`,
  }
}
