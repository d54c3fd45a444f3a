import { type Backups, findBefore } from './backups.ts'
import type { Change } from './change.ts'
import { throwForeignFile } from './config-errors.ts'
import { addToJson, removeFromJson } from './edit-json.ts'
import { addToToml, removeFromToml } from './edit-toml.ts'
import type { FileEdit, WholeFile } from './harness.ts'
import { readText } from './read-text.ts'

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
