import { isDeepStrictEqual } from 'node:util'
import {
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  type Pair,
  parse,
  parseDocument,
} from 'yaml'
import { ConfigError } from './workspace.ts'

/**
 * Takes a key out of a YAML text, and the sections that it leaves empty. Comments on other lines
 * are retained. A text without the key is returned as it is.
 */
export function removeSetting(text: string, path: readonly string[]): string {
  const document = parseDocument(text, { logLevel: 'error' })
  const [problem] = document.errors
  if (problem) throw new ConfigError(`not YAML: ${problem.message.split('\n')[0]}`)
  if (!document.hasIn(path)) return text
  const name = toRemovedPath(document.toJS(), path)
  const section = name.length > 1 ? document.getIn(name.slice(0, -1)) : document.contents
  const pairs = isMap(section) ? section.items : []
  const pair = pairs.find(({ key }) => isScalar(key) && key.value === name.at(-1))
  document.deleteIn(name)
  const expected: unknown = document.toJS() ?? {}
  const newText = pair && cut(text, pair, isMap(section) && section.flow === true)
  if (newText !== undefined && isSame(newText, expected)) return newText
  const rewritten = document.toString({ lineWidth: 0 })
  if (isSame(rewritten, expected)) return rewritten
  throw new ConfigError(`${path.join('.')} cannot be removed from this text`)
}

function isSame(text: string, expected: unknown): boolean {
  try {
    return isDeepStrictEqual(parse(text, { logLevel: 'error' }) ?? {}, expected)
  } catch {
    // The text is no YAML any more, so the caller writes the document again.
    return false
  }
}

/** The path of the outermost section that contains nothing else. */
function toRemovedPath(settings: unknown, path: readonly string[]): readonly string[] {
  const sizes = path.map((_, depth) => {
    const section: unknown = path.slice(0, depth).reduce((at, name) => Object(at)[name], settings)
    return Object.keys(Object(section)).length
  })
  const shared = sizes.findLastIndex((size) => size > 1)
  return path.slice(0, Math.max(shared, 0) + 1)
}

/** Cuts the lines of the pair, or its part of a flow section with one comma. */
function cut(text: string, { key, value }: Pair, isFlow: boolean): string | undefined {
  if (!isScalar(key) || !key.range) return undefined
  const [start] = key.range
  const end = isNode(value) ? endOf(value) : key.range[1] + 1
  if (isFlow) {
    const after = /^\s*,\s*/.exec(text.slice(end))
    const before = after ? undefined : /,\s*$/.exec(text.slice(0, start))
    return text.slice(0, before?.index ?? start) + text.slice(end + (after?.[0].length ?? 0))
  }
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  return text.slice(0, lineStart) + (lineEnd < 0 ? '' : text.slice(lineEnd + 1))
}

/** The offset behind the last character of the value, before trailing comments and lines. */
export function endOf(node: unknown): number {
  if (isPair(node)) return isNode(node.value) ? endOf(node.value) : endOf(node.key)
  if (!isNode(node)) return 0
  const last: unknown = isCollection(node) && !node.flow ? node.items.at(-1) : undefined
  return last === undefined ? (node.range?.[1] ?? 0) : endOf(last)
}
