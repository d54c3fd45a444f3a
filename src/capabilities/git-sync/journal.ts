import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { makeFolder } from '../../kernel/files/folders.ts'
import { readText } from '../../kernel/files/read-text.ts'
import { replaceFile, syncFolder } from '../../kernel/files/replace-file.ts'

const object = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/)

const journalSchema = z.object({
  version: z.literal(1),
  branch: z.string(),
  /** The commit of every local byte. */
  local: object,
  /** The commit that the branch will have. */
  merge: object,
  /** The tree that the workspace will have. */
  target: object,
  /** The former commit of the branch; null before the first one. */
  from: object.nullable(),
})

/** The step of a pull that changes files, so that a killed one is completed. */
export type Journal = z.output<typeof journalSchema>

const toFile = (folder: string) => join(folder, '.daemon', 'git-operation.json')

export async function writeJournal(folder: string, journal: Journal): Promise<void> {
  await makeFolder(join(folder, '.daemon'))
  await replaceFile(toFile(folder), JSON.stringify(journal))
}

/** Undefined without a valid journal. */
export async function readJournal(folder: string): Promise<Journal | undefined> {
  const text = await readText(toFile(folder))
  if (text === '') return undefined
  try {
    return journalSchema.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export async function removeJournal(folder: string): Promise<void> {
  await rm(toFile(folder), { force: true })
  await syncFolder(join(folder, '.daemon'))
}
