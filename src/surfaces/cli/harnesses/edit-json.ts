import { isDeepStrictEqual } from 'node:util'
import { CliError } from '../failure.ts'
import { type Hook, isOurHook, isOurServer, type JsonEdit } from './harness.ts'
import { createDocument, type Document, type Path } from './json-document.ts'

/** The text with all of ours in it, as it is wanted now; all else stays as it was written. */
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

/** The text without anything of ours; lists and objects that are empty then go too. */
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
  const found = findOurs(document, { list, group })
  const first = found.at(-1)
  for (const path of found.slice(0, -1)) removeHook(document, path, list)
  if (first === undefined) document.append(list, group === undefined ? value : { [group]: [value] })
  else if (!isDeepStrictEqual(document.get(first), value)) document.set(first, value)
}

function removeHooks(document: Document, { list, group }: Omit<Hook, 'value'>): void {
  const paths = findOurs(document, { list, group })
  for (const path of paths) removeHook(document, path, list)
  if (paths.length === 0) return
  document.removeIfEmpty(list)
  document.removeIfEmpty(list.slice(0, -1))
}

function removeHook(document: Document, path: Path, list: Path): void {
  document.remove(path)
  // A group that holds no hook any more is of no use.
  const above = path.slice(0, -1)
  if (above.length > list.length && document.isEmpty(above)) document.remove(above.slice(0, -1))
}

/** Where our hooks stand, the last first. */
function findOurs(
  document: Document,
  { list, group }: { readonly list: Path; readonly group: string | undefined },
): Path[] {
  const items = toList(document.get(list))
  const found = items.flatMap((item, index): Path[] => {
    if (group === undefined) return isOurHook(item) ? [[...list, index]] : []
    const inner = toList(Object(item)[group])
    return inner.flatMap((hook, at) => (isOurHook(hook) ? [[...list, index, group, at]] : []))
  })
  return found.toReversed()
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
