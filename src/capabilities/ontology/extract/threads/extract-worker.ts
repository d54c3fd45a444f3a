import { type Draft, readSource } from '../read-text.ts'

export interface DraftTask {
  readonly text: string
  /** Canonical names that the graph knows. */
  readonly known: ReadonlySet<string>
}

export async function listCandidates(text: string): Promise<readonly string[]> {
  return readSource(text).candidates
}

export async function draft({ text, known }: DraftTask): Promise<ReadText> {
  const { blocks, listDrafts } = readSource(text)
  return { blocks, drafts: listDrafts(known) }
}

interface ReadText {
  readonly blocks: readonly string[]
  readonly drafts: readonly Draft[]
}
