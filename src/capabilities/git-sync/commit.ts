import { join } from 'node:path'
import { configFileNames } from '../../kernel/config/workspace.ts'
import { exists } from '../../kernel/files/optional-files.ts'
import { GitFailure } from './failure.ts'
import { listLimits } from './git.ts'
import { createCommit, splitList } from './objects.ts'
import type { Operation } from './operation.ts'
import { isConflictCopy, isWatched, toOriginalPath } from './paths.ts'
import { assertQuiet, writeIgnoreBlock } from './repository.ts'
import { copyIndex, replaceIndex, type Scratch, withScratch } from './scratch.ts'
import { findSecretKinds } from './secret-scan.ts'
import { isSettingsFile } from './settings-rule.ts'
import { listLocalChanges, prepareIndex, stagePaths, type Withheld, writeTree } from './snapshot.ts'

export interface CommitOutcome {
  /** Null when nothing had to be committed. */
  readonly commit: string | null
  readonly withheld: readonly Withheld[]
}

/** Commits the watched files that have changed. */
export async function commitChanges(operation: Operation): Promise<CommitOutcome> {
  const { config, git, needs, paths } = operation
  const { head } = await assertQuiet(git, config)
  await writeIgnoreBlock(needs.folder, paths)
  return await withScratch(git, async (scratch) => {
    await prepareIndex(scratch, 'commit', head)
    const local = await listLocalChanges(scratch, { index: 'commit', paths })
    const { accepted, withheld } = await selectPaths(needs.folder, local.paths.filter(isWatched))
    await stagePaths(scratch, 'commit', accepted)
    const untracked = await untrackProtected(operation, scratch, 'commit')
    const tree = await writeTree(scratch, 'commit')
    const all = [...local.withheld, ...withheld]
    const before = head === null ? null : await git.read(['rev-parse', `${head}^{tree}`])
    const changed = [...accepted, ...untracked]
    if (tree === before || (head === null && changed.length === 0))
      return { commit: null, withheld: all }
    const parents = head === null ? [] : [head]
    const message = toMessage(needs.host.now(), changed)
    const commit = await createCommit(git, needs.host, { tree, parents, message })
    // The index first: after a kill, the changes count as staged.
    await moveIndex(operation, scratch, accepted)
    const old = head ?? '0'.repeat(commit.length)
    const ref = `refs/heads/${config.branch}`
    const { code } = await git.run(['update-ref', '-m', 'commit', ref, commit, old])
    if (code !== 0) throw new GitFailure('files_changing', { details: [ref] })
    return { commit, withheld: all }
  })
}

/** Leaves out files with credentials, and settings whose other version waits for a decision. */
async function selectPaths(folder: string, paths: readonly string[]) {
  const open = await listOpenSettings(folder, paths)
  const accepted: string[] = []
  const withheld: Withheld[] = []
  for (const path of paths.filter((each) => !open.has(each))) {
    const file = join(folder, path)
    const kinds = (await exists(file)) ? await findSecretKinds(file) : []
    if (kinds.length > 0) withheld.push({ path, kinds })
    else accepted.push(path)
  }
  return { accepted, withheld }
}

/** Settings files with a conflict copy, and these copies. They would go to and fro between machines. */
async function listOpenSettings(
  folder: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const copies = paths.filter(
    (path) => isConflictCopy(path) && isSettingsFile(toOriginalPath(path)),
  )
  const present: string[] = []
  for (const copy of copies) if (await exists(join(folder, copy))) present.push(copy)
  const originals = present.map(toOriginalPath)
  return new Set([...present, ...configFileNames.filter((name) => originals.includes(name))])
}

/** Removes protected files from the index; on disk they stay. Returns their paths. */
async function untrackProtected(
  { git, paths }: Operation,
  { withIndex }: Scratch,
  index: string,
): Promise<readonly string[]> {
  const tracked = splitList(await git.read(['ls-files', '-z'], withIndex(index, listLimits)))
  const trackedPaths = tracked.filter((path) => paths.has(path))
  if (trackedPaths.length === 0) return []
  const input = trackedPaths.map((path) => `${path}\0`).join('')
  const args = ['update-index', '--force-remove', '-z', '--stdin']
  await git.read(args, withIndex(index, { ...listLimits, input }))
  return trackedPaths
}

/** Adds the committed files to the index of the user. Other entries do not change. */
async function moveIndex(
  operation: Operation,
  scratch: Scratch,
  accepted: readonly string[],
): Promise<void> {
  const { git, needs } = operation
  if (!(await exists(join(git.gitDir, 'index'))))
    return await replaceIndex(scratch, 'commit', needs.host)
  await copyIndex(scratch, 'user')
  await stagePaths(scratch, 'user', accepted)
  await untrackProtected(operation, scratch, 'user')
  await replaceIndex(scratch, 'user', needs.host)
}

const maxListLength = 50

/** `2026-01-02T03-04-05_auto_notes.md plan.md` */
function toMessage(now: Date, paths: readonly string[]): string {
  const time = now.toISOString().replaceAll(/[:.]/g, '-').slice(0, 19)
  return `${time}_auto_${paths.join(' ').slice(0, maxListLength)}\n`
}
