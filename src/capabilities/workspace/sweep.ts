import { removeTempFolders } from '../../kernel/files/remove-temp-folders.ts'
import type { WorkspaceNeeds } from './needs.ts'

/** No file takes so long to write. */
const leftAfterMs = 3_600_000

/** Our own files stand no deeper, such as `transcripts/<harness>/transcript.jsonl`. */
const deepest = 2

/** Removes what was begun and never became a file: it may hold what has been forgotten since. */
export function sweep({ folder, host }: Pick<WorkspaceNeeds, 'folder' | 'host'>): Promise<void> {
  const before = new Date(host.now().getTime() - leftAfterMs)
  return removeTempFolders(folder, { before, depth: deepest })
}
