import { hash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { replaceFile } from '../../../kernel/files/replace-file.ts'
import { isMissing } from '../daemon-file.ts'
import { CliError } from '../failure.ts'
import { addToJson, removeFromJson } from './edit-json.ts'
import { addToToml, removeFromToml } from './edit-toml.ts'
import type { FileEdit, WholeFile } from './harness.ts'
import { readText, throwForeignFile } from './read-text.ts'

/** By path: what a file was before, and the SHA-256 of what was made of it. */
type Backups = Readonly<Record<string, Backup>>

interface Backup {
  /** Null where there was no file. */
  readonly before: string | null
  readonly after: string
}

export function pathOfBackups(workspace: string, harness: string): string {
  return join(workspace, 'harnesses', `${harness}.before.json`)
}

export async function readBackups(file: string): Promise<Backups> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    // Without backups the entries of Reverie are removed, but the file is not restored.
    if (error instanceof SyntaxError || isMissing(error)) return {}
    throw error
  }
}

/**
 * Saves each file as it was before the first entry of Reverie. A file that others have changed since
 * cannot be restored, so its backup is removed.
 */
export async function saveBackups(
  file: string,
  changes: readonly Change[],
  hadOwnEntries: (path: string) => boolean,
): Promise<void> {
  const backups = { ...(await readBackups(file)) }
  for (const { path, before, after } of changes) {
    if (after === null) continue
    const first =
      hadOwnEntries(path) && before !== null ? findBefore(backups, path, before) : before
    if (first === undefined) delete backups[path]
    else backups[path] = { before: first, after: hash('sha256', after) }
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await replaceFile(file, JSON.stringify(backups))
}

export async function removeBackups(file: string): Promise<void> {
  await rm(file, { force: true })
}

/** The text before this one; undefined without a backup, or if the file has changed since. */
function findBefore(backups: Backups, path: string, text: string): string | null | undefined {
  const known = backups[path]
  return known?.after === hash('sha256', text) ? known.before : undefined
}

/** One file before and after the change; null means no file. */
export interface Change {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  readonly mode: number
}

export function isChange({ before, after }: Change): boolean {
  return before !== after
}

/** Nothing is written yet; what cannot be edited is refused here, before any file is touched. */
export function planInstall(edits: readonly FileEdit[]): Promise<Change[]> {
  return plan(edits, (edit, text) => add(edit, text ?? ''))
}

export function planUninstall(edits: readonly FileEdit[], backups: Backups): Promise<Change[]> {
  return plan(edits, (edit, text, path) => {
    if (text === null) return null
    const before = findBefore(backups, path, text)
    return before === undefined ? remove(edit, text) : before
  })
}

async function plan(
  edits: readonly FileEdit[],
  toNext: (edit: FileEdit, text: string | null, path: string) => string | null,
): Promise<Change[]> {
  const changes: Change[] = []
  for (const edit of edits) {
    const { path, text, mode } = await readText(edit.path)
    changes.push({ path, before: text, after: toNext(edit, text, path), mode })
  }
  return changes
}

function add(edit: FileEdit, text: string): string {
  const { mark, rest } = splitMark(text)
  if (edit.form === 'json') return mark + addToJson(edit, rest)
  if (edit.form === 'toml') return mark + addToToml(edit, rest)
  if (text !== '' && !isOurFile(edit, text)) throwForeignFile(edit.path)
  return edit.text
}

function remove(edit: FileEdit, text: string): string | null {
  const { mark, rest } = splitMark(text)
  if (edit.form === 'json') return mark + removeFromJson(edit, rest)
  if (edit.form === 'toml') return mark + removeFromToml(edit, rest)
  return isOurFile(edit, text) ? null : text
}

function isOurFile({ marker }: WholeFile, text: string): boolean {
  return text.startsWith(marker)
}

/** The mark that some editors set before the first character. */
function splitMark(text: string) {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : ''
  return { mark, rest: text.slice(mark.length) }
}

/** A unified diff of all that would change; empty when nothing would. */
export function renderDiff(changes: readonly Change[]): string {
  return changes
    .filter(isChange)
    .map(({ path, before, after }) =>
      createTwoFilesPatch(
        before === null ? '/dev/null' : path,
        after === null ? '/dev/null' : path,
        before ?? '',
        after ?? '',
      ),
    )
    .join('')
}

/** Writes each file whole or not at all, and reads it back. */
export async function writeChanges(changes: readonly Change[]): Promise<void> {
  for (const change of changes.filter(isChange)) {
    const { path, before, after, mode } = change
    if ((await readText(path)).text !== before)
      throw new CliError(
        'conflict',
        'changed_meanwhile',
        `${path} changed during the operation`,
        'Try again.',
      )
    if (after === null) await rm(path)
    else {
      await mkdir(dirname(path), { recursive: true })
      await replaceFile(path, after, mode)
    }
    if ((await readText(path)).text !== after)
      throw new CliError('fault', 'not_written', `${path} differs from the written content`)
  }
}
