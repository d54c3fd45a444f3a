import { isDeepStrictEqual } from 'node:util'
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type Pair,
  parse,
  parseDocument,
  type YAMLMap,
} from 'yaml'
import { valueAt } from './raw-settings.ts'
import { endOf } from './remove-setting.ts'
import { ConfigError } from './workspace.ts'

/** A value of JSON. */
export type SettingValue =
  | boolean
  | number
  | string
  | readonly SettingValue[]
  | { readonly [name: string]: SettingValue }

/**
 * Sets a value at a path of a YAML text. All other bytes and comments do not change.
 * Throws a `ConfigError` for a text that is not YAML or has a plain value on the path.
 */
export function editSetting(
  text: string,
  path: readonly [string, ...string[]],
  value: SettingValue,
): string {
  const document = parseDocument(text, { logLevel: 'error' })
  const [problem] = document.errors
  if (problem) throw new ConfigError(`not YAML: ${problem.message.split('\n')[0]}`)
  const expected = toExpected(document, path, value)
  const newText = editInPlace(text, document, { path, value })
  if (newText !== undefined && isSame(newText, expected)) return newText
  // Anchors, tags and empty sections: the document is written again with its comments.
  for (const [depth] of path.slice(0, -1).entries()) {
    const section = path.slice(0, depth + 1)
    if (document.getIn(section) == null) document.setIn(section, document.createNode({}))
  }
  document.setIn(path, value)
  const rewritten = document.toString({ lineWidth: 0 })
  if (isSame(rewritten, expected)) return rewritten
  throw new ConfigError(`${path.join('.')} cannot be set in this text`)
}

interface Edit {
  readonly path: readonly [string, ...string[]]
  readonly value: SettingValue
}

/** The settings after the edit. */
function toExpected(document: Document, path: Edit['path'], value: Edit['value']): unknown {
  const settings: unknown = structuredClone(document.toJS()) ?? {}
  let parent: unknown = settings
  for (const name of path.slice(0, -1)) {
    if (valueAt(parent, name) == null) Reflect.set(Object(parent), name, {})
    parent = valueAt(parent, name)
    if (typeof parent !== 'object') throw new ConfigError(`${name} is a value and no section`)
  }
  Reflect.set(Object(parent), path.at(-1) ?? '', value)
  return settings
}

/** The order of keys does not matter: a new key stands first in its section. */
function isSame(text: string, expected: unknown): boolean {
  return isDeepStrictEqual(parse(text, { logLevel: 'error' }), expected)
}

/** Replaces the value or inserts its line; undefined where the text has another form. */
function editInPlace(text: string, document: Document, { path, value }: Edit): string | undefined {
  if (text.trim() === '' || document.contents === null) return appendSection(text, path, value)
  let section: unknown = document.contents
  for (const [depth, name] of path.entries()) {
    if (!isMap(section)) return undefined
    const pair: Pair | undefined = section.items.find(
      ({ key }) => isScalar(key) && key.value === name,
    )
    if (!pair) return insertPair(text, section, { names: path.slice(depth), value })
    if (depth === path.length - 1) return replaceValue(text, pair, value)
    section = pair.value
  }
  return undefined
}

function replaceValue(text: string, pair: Pair, value: Edit['value']): string | undefined {
  const { value: node } = pair
  if (!isNode(node) || isAlias(node) || !node.range || node.anchor || node.tag) return undefined
  const [start] = node.range
  const end = endOf(node)
  if (start === end) return undefined
  if (isScalar(node) || (isCollection(node) && node.flow))
    return `${text.slice(0, start)}${render(value)}${text.slice(end)}`
  // The lines of a block become a value after the colon of their key.
  const colon = isScalar(pair.key) ? text.indexOf(':', pair.key.range?.[1]) : -1
  return colon < 0 ? undefined : `${text.slice(0, colon + 1)} ${render(value)}${text.slice(end)}`
}

interface Insertion {
  /** The missing keys, the outermost first. */
  readonly names: readonly string[]
  readonly value: Edit['value']
}

/** Inserts the key before the first one of its section. */
function insertPair(
  text: string,
  section: YAMLMap,
  { names, value }: Insertion,
): string | undefined {
  const [start = 0] = section.range ?? []
  const [first] = section.items
  if (section.flow) {
    const inner = names.toReversed().reduce((child, name) => `{ ${name}: ${child} }`, render(value))
    const separator = first ? ',' : ' '
    return `${text.slice(0, start + 1)}${inner.slice(1, -2)}${separator}${text.slice(start + 1)}`
  }
  if (!first || !isScalar(first.key) || !first.key.range) return undefined
  const [at] = first.key.range
  const indent = at - (text.lastIndexOf('\n', at - 1) + 1)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = toLines(names, value, indent).join(eol).trimStart()
  return `${text.slice(0, at)}${lines}${eol}${' '.repeat(indent)}${text.slice(at)}`
}

function appendSection(text: string, path: Edit['path'], value: Edit['value']): string {
  const separator = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${text}${separator}${toLines(path, value, 0).join('\n')}\n`
}

function toLines(names: readonly string[], value: Edit['value'], indent: number): string[] {
  return names.map((name, depth) => {
    const end = depth === names.length - 1 ? ` ${render(value)}` : ''
    return `${' '.repeat(indent + 2 * depth)}${name}:${end}`
  })
}

/** JSON is YAML. A text is quoted, so that YAML reads it as no other type. */
function render(value: SettingValue): string {
  return JSON.stringify(value)
}
