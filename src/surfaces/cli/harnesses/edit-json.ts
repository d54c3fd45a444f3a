import { isDeepStrictEqual } from 'node:util'
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { isMapping } from '../../../kernel/files/read-text.ts'
import { CliError } from '../failure.ts'
import { type Hook, isOurHook, isOurServer, type JsonEdit } from './harness.ts'
import { cutValue, putValue } from './json-text.ts'
import { throwMalformed } from './read-text.ts'

/** The text with all current entries of Reverie; nothing else changes. */
export function addToJson(edit: JsonEdit, text: string): string {
  const document = createDocument(edit.path, text)
  for (const { at, value } of edit.defaults ?? []) {
    if (document.get(at) === undefined) document.set(at, value)
  }
  for (const { at, value } of edit.entries ?? []) addEntry(document, at, value)
  for (const hook of edit.hooks ?? []) addHook(document, hook)
  for (const former of edit.formerHooks ?? []) removeHooks(document, former)
  return document.text()
}

/** The text without the entries of Reverie, and without lists and objects that become empty. */
export function removeFromJson(edit: JsonEdit, text: string): string {
  const document = createDocument(edit.path, text)
  for (const { at } of edit.entries ?? []) {
    if (!isOurServer(document.get(at))) continue
    document.remove(at)
    document.removeIfEmpty(at.slice(0, -1))
  }
  for (const hook of [...(edit.hooks ?? []), ...(edit.formerHooks ?? [])])
    removeHooks(document, hook)
  return document.text()
}

function addEntry(document: Document, at: Path, value: unknown): void {
  const there = document.get(at)
  if (isDeepStrictEqual(there, value)) return
  if (there !== undefined && !isOurServer(there))
    throw new CliError(
      'conflict',
      'not_ours',
      `${document.path} already has ${at.join('.')}, which does not belong to Reverie`,
      'Rename or remove it first.',
    )
  document.set(at, value)
}

function addHook(document: Document, { list, value, group }: Hook): void {
  const entries = findOwnEntries(document, { list, group })
  const first = entries.at(-1)
  for (const path of entries.slice(0, -1)) removeHook(document, path, list)
  if (first === undefined) document.append(list, group === undefined ? value : { [group]: [value] })
  else if (!isDeepStrictEqual(document.get(first), value)) document.set(first, value)
}

function removeHooks(document: Document, { list, group }: Omit<Hook, 'value'>): void {
  const paths = findOwnEntries(document, { list, group })
  for (const path of paths) removeHook(document, path, list)
  if (paths.length === 0) return
  document.removeIfEmpty(list)
  document.removeIfEmpty(list.slice(0, -1))
}

function removeHook(document: Document, path: Path, list: Path): void {
  document.remove(path)
  // A group without hooks has no effect.
  const above = path.slice(0, -1)
  if (above.length > list.length && document.isEmpty(above)) document.remove(above.slice(0, -1))
}

/** The paths of the hooks of Reverie, last first. */
function findOwnEntries(
  document: Document,
  { list, group }: { readonly list: Path; readonly group: string | undefined },
): Path[] {
  const items = toList(document.get(list))
  const paths = items.flatMap((item, index): Path[] => {
    if (group === undefined) return isOurHook(item) ? [[...list, index]] : []
    const inner = toList(Object(item)[group])
    return inner.flatMap((hook, at) => (isOurHook(hook) ? [[...list, index, group, at]] : []))
  })
  return paths.toReversed()
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

type Path = readonly (string | number)[]
type Document = ReturnType<typeof createDocument>

/** A JSON text, with or without comments, of which only the set values change. */
function createDocument(path: string, content: string) {
  let text = content.trim() === '' ? '{}\n' : content
  const read = (): unknown => parseStrictly(path, text)
  const get = (at: Path): unknown =>
    at.reduce<unknown>((value, step) => Object(value)[step], read())
  const isEmpty = (at: Path) => {
    const value = get(at)
    return typeof value === 'object' && value !== null && Object.keys(value).length === 0
  }
  const set = (at: Path, value: unknown) => {
    assertParents(path, read(), at)
    text = putValue(text, at, value)
  }
  const remove = (at: Path) => {
    text = cutValue(text, at)
  }
  read()
  return {
    path,
    get,
    set,
    remove,
    isEmpty,
    /** Throws if the edits broke the text. */
    text: () => {
      read()
      return text
    },
    append: (list: Path, value: unknown) =>
      get(list) === undefined
        ? set(list, [value])
        : set([...list, Object(get(list)).length], value),
    removeIfEmpty: (at: Path) => {
      if (at.length > 0 && isEmpty(at)) remove(at)
    },
  }
}

function parseStrictly(path: string, text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first) throwMalformed(path, lineAt(text, first.offset), printParseErrorCode(first.error))
  if (!isMapping(value)) throwMalformed(path, 1, 'not a JSON object')
  return value
}

/** Throws if a parent is a plain value, which writing would replace. */
function assertParents(path: string, root: unknown, at: Path): void {
  let value = root
  for (const [depth, step] of at.entries()) {
    const isFit = typeof step === 'number' ? Array.isArray(value) : isMapping(value)
    const name = at.slice(0, depth).join('.')
    if (!isFit) throwMalformed(path, undefined, `${name} has another type`)
    value = Object(value)[step]
    if (value === undefined) return
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
