import { globSync, readFileSync } from 'node:fs'
import type { RefusalKind } from '../src/kernel/errors/refusal.ts'

const kinds: Record<RefusalKind, true> = {
  invalid: true,
  unauthenticated: true,
  forbidden: true,
  not_found: true,
  conflict: true,
  gone: true,
  too_large: true,
  too_many: true,
  unavailable: true,
  unsupported: true,
  length_required: true,
  storage_full: true,
  not_implemented: true,
  unreadable: true,
}

/** The forms of a code in the sources: after its kind, or in a refusal of a memory and its message. */
const spellings = [
  new RegExp(`'(?:${Object.keys(kinds).join('|')})',\\s*'(?<code>[a-z]\\w+)'`, 'g'),
  /refusalOf\(\s*\w+,\s*'(?<code>[a-z]\w+)'/g,
  /^ {2}(?<code>[a-z]\w*_\w+|deleted):\s+['`][A-Z]/gm,
]

/** Finds every error code with a file that contains it. */
export function findRefusalCodes(): ReadonlyMap<string, string> {
  const files = globSync('src/{kernel,capabilities,daemon}/**/*.ts').filter(
    (path) => !/\.(test|fixture|contract)\.ts$|\/testing\//.test(path),
  )
  return new Map(
    files.flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      return spellings
        .flatMap((spelling) => [...text.matchAll(spelling)])
        .map(({ groups }) => [groups?.['code'] ?? '', path] as const)
    }),
  )
}

/** Returns the codes in `docs/refusals.md`, in its order. */
export function readDocumentedCodes(): readonly string[] {
  const page = readFileSync('docs/refusals.md', 'utf8')
  return [...page.matchAll(/^\| `(\w+)` \| `/gm)].map(([, code = '']) => code)
}
