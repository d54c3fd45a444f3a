import type { Git } from './git.ts'
import { type Entry, readBlob, writeBlob } from './objects.ts'

/** Our lines, then those of the other side that we lack; undefined for files that are not text. */
export async function uniteLines(git: Git, ours: Entry, theirs: Entry): Promise<Entry | undefined> {
  const [own, other] = [await readBlob(git, ours.object), await readBlob(git, theirs.object)]
  if (own === undefined || other === undefined) return undefined
  const known = new Set(toLines(own))
  const added = toLines(other).filter((line) => !known.has(line))
  const text = own === '' || own.endsWith('\n') ? own : `${own}\n`
  const all = added.length === 0 ? own : `${text}${added.join('\n')}\n`
  return { ...ours, object: await writeBlob(git, all) }
}

function toLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
