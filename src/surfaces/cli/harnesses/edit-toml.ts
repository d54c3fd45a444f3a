import { parse, TomlError } from 'smol-toml'
import { CliError } from '../failure.ts'
import type { TomlEdit } from './harness.ts'
import { throwMalformed } from './read-text.ts'

const begin = '# >>> reverie (written by reverie install; reverie uninstall removes it)'
const end = '# <<< reverie'

/** The text with the block of Reverie at its former position, or at the end. */
export function addToToml(edit: TomlEdit, text: string): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const block = [begin, ...edit.lines, end, ''].join(eol)
  const [before, after] = cut(edit, text)
  assertNotForeign(edit, before + after)
  const hasEntry = before + after !== text
  const gap = hasEntry || before === '' ? '' : before.endsWith('\n') ? eol : eol + eol
  const next = `${before}${gap}${block}${after}`
  read(edit, next)
  return next
}

export function removeFromToml(edit: TomlEdit, text: string): string {
  const [before, after] = cut(edit, text)
  const rest = before + after
  if (rest === text) return text
  read(edit, rest)
  // The empty line before the block.
  return after === '' ? before.replace(/(\r?\n)\r?\n$/, '$1') : rest
}

/** The text before and after the block of Reverie. */
function cut(edit: TomlEdit, text: string): readonly [before: string, after: string] {
  read(edit, text)
  const from = text.indexOf(begin)
  if (from === -1) return [text, '']
  const to = text.indexOf(end, from)
  if (to === -1) {
    const line = text.slice(0, from).split('\n').length
    return throwMalformed(edit.path, line, `the block that begins here has no end line ${end}`)
  }
  return [text.slice(0, from), text.slice(to + end.length).replace(/^\r?\n/, '')]
}

function assertNotForeign({ path, table }: TomlEdit, text: string): void {
  const there = table.reduce<unknown>((value, step) => Object(value)[step], parse(text))
  if (there === undefined) return
  const name = table.join('.')
  const message = `${path} already has ${name}, which does not belong to Reverie`
  throw new CliError('conflict', 'not_ours', message, 'Rename or remove it first.')
}

function read({ path }: TomlEdit, text: string): void {
  try {
    parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throwMalformed(path, error.line, error.message.split('\n')[0] ?? '')
  }
}
