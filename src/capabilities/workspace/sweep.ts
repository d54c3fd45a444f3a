import { removeTempFolders } from '../../kernel/files/remove-temp-folders.ts'
import type { WorkspaceNeeds } from './needs.ts'

/** Longer than any write takes. */
const maxAgeMs = 3_600_000

/** Depth of the deepest own file, `transcripts/<harness>/transcript.jsonl`. */
const maxDepth = 2

/** Removes abandoned temporary folders, which may contain deleted content. */
export function sweep({ folder, host }: Pick<WorkspaceNeeds, 'folder' | 'host'>): Promise<void> {
  const before = new Date(host.now().getTime() - maxAgeMs)
  return removeTempFolders(folder, { before, depth: maxDepth })
}
