import { toCleanText } from '../../../../kernel/redaction/clean-text.ts'
import type { SourceItem, SyncContext } from '../kind.ts'
import { type RemoteApi, RemoteError } from '../remote-api.ts'
import type { CodeHostSettings } from './settings.ts'

/** The state of the run of one repository. */
export interface RepoRun {
  /** `owner/name` */
  readonly repo: string
  readonly api: RemoteApi
  readonly context: SyncContext
  readonly settings: CodeHostSettings
  /** Items that may still be read. */
  remaining: number
  /** Whether all lists were read to their end, so that the rest may be removed. */
  isComplete: boolean
  scanned: number
}

export const toRepoPath = (repo: string) => `code-host://${repo}`

/** Marks an item as read. Returns false when the limit of the repository is reached. */
export function takeItem(run: RepoRun, path: string): boolean {
  if (run.remaining <= 0) {
    run.isComplete = false
    return false
  }
  run.remaining -= 1
  run.scanned += 1
  run.context.report({ currentPath: path })
  return true
}

/** Saves an item. A path that holds a credential is not stored. */
export async function saveItem({ context }: RepoRun, item: SourceItem): Promise<void> {
  if (toCleanText(item.path) === item.path) await context.save(item)
}

/** Reads an item; a reply that it cannot be read from is its failure alone. */
export async function readItem(
  run: RepoRun,
  path: string,
  read: () => Promise<void>,
): Promise<boolean> {
  try {
    await read()
    return true
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    run.isComplete = false
    const message = `${path}: ${error.message}`
    await run.context.fail({ path, message, recoverable: error.isRecoverable })
    return false
  }
}

/** Words of a text of another, which may be absent. */
export const textOf = (text: string | null | undefined) => text ?? ''

export const nameOf = (user: { readonly login: string } | null | undefined) =>
  user?.login ?? 'ghost'
