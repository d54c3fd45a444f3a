import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../kernel/errors/system-error.ts'
import { exists } from '../../kernel/files/optional-files.ts'
import type { Host } from '../../kernel/host/host.ts'
import { GitFailure } from './failure.ts'
import { listLimits } from './git.ts'
import { createCommit, isRegular, parseRaw, splitList } from './objects.ts'
import { hasPlainParents, isSafePath, type ProtectedPaths } from './paths.ts'
import { copyIndex, type Scratch } from './scratch.ts'

export interface Withheld {
  readonly path: string
  readonly kinds: readonly string[]
}

export interface LocalChanges {
  /** Changed, new and removed files that may be stored. */
  readonly paths: readonly string[]
  /** Files that are too large. */
  readonly withheld: readonly Withheld[]
}

const maxFileBytes = 52_428_800

/** Prepares the index `name` with the tree of the commit and the times of the user's index. */
export async function prepareIndex(
  scratch: Scratch,
  name: string,
  head: string | null,
): Promise<void> {
  const { git, withIndex } = scratch
  await copyIndex(scratch, name)
  const tree = head === null ? ['--empty'] : ['--reset', head]
  await git.read(['read-tree', ...tree], withIndex(name, listLimits))
  // Exits with 1 when a file has changed.
  await git.run(['update-index', '-q', '--refresh'], withIndex(name, listLimits))
}

/** Lists what differs from the prepared index. Ignored, protected and special files are left out. */
export async function listLocalChanges(
  { git, withIndex }: Scratch,
  { index, paths }: { readonly index: string; readonly paths: ProtectedPaths },
): Promise<LocalChanges> {
  const [changed, untracked] = await Promise.all([
    git.read(
      ['diff-files', '-z', '--raw', '--no-renames', '--no-abbrev', '--ignore-submodules=all'],
      withIndex(index, listLimits),
    ),
    git.read(['ls-files', '-o', '--exclude-standard', '-z'], withIndex(index, listLimits)),
  ])
  const tracked = parseRaw(changed)
    .filter(({ before }) => isRegular(before.mode))
    .map(({ path }) => path)
  const candidates = [...new Set([...tracked, ...splitList(untracked)])].filter(
    (path) => !path.endsWith('/') && isSafePath(path) && !paths.has(path),
  )
  const files: string[] = []
  const withheld: Withheld[] = []
  for (const path of candidates) {
    const kind = await readKind(join(git.folder, path))
    if (kind === 'file' || (kind === 'absent' && tracked.includes(path))) files.push(path)
    if (kind === 'too_large') withheld.push({ path, kinds: ['too_large'] })
  }
  return { paths: files, withheld }
}

async function readKind(file: string): Promise<'file' | 'too_large' | 'absent' | 'other'> {
  try {
    const stats = await lstat(file)
    if (!stats.isFile()) return 'other'
    return stats.size > maxFileBytes ? 'too_large' : 'file'
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return 'absent'
    throw error
  }
}

/** Stores files as they are on disk; removed ones leave the index. No rule of ignored files applies. */
export async function stagePaths(
  { git, withIndex }: Scratch,
  index: string,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return
  const input = paths.map((path) => `${path}\0`).join('')
  const args = ['update-index', '--add', '--remove', '-z', '--stdin']
  await git.read(args, withIndex(index, { ...listLimits, input }))
}

export async function writeTree({ git, withIndex }: Scratch, index: string): Promise<string> {
  return await git.read(['write-tree'], withIndex(index, listLimits))
}

interface SnapshotInput {
  readonly head: string | null
  readonly paths: ProtectedPaths
  /** Files that the incoming side adds. They are stored even if they are ignored here. */
  readonly incoming: readonly string[]
  readonly host: Pick<Host, 'now'>
}

interface Snapshot {
  /** A commit of every local byte; HEAD without local changes. */
  readonly commit: string
  readonly isDirty: boolean
  readonly withheld: readonly Withheld[]
}

/** Stores the files of the workspace as a commit that is on no branch. */
export async function createSnapshot(scratch: Scratch, input: SnapshotInput): Promise<Snapshot> {
  const { head, host, incoming, paths } = input
  const { git } = scratch
  const staged = await readStagedTree(scratch)
  await prepareIndex(scratch, 'snapshot', head)
  const local = await listLocalChanges(scratch, { index: 'snapshot', paths })
  const isPlain = (path: string) => isSafePath(path) && !paths.has(path)
  const present = await listPresent(git.folder, local, incoming.filter(isPlain))
  await stagePaths(scratch, 'snapshot', [...local.paths, ...present])
  const tree = await writeTree(scratch, 'snapshot')
  const headTree = head === null ? undefined : await git.read(['rev-parse', `${head}^{tree}`])
  const isStaged = staged !== undefined && staged !== headTree && staged !== tree
  if (head !== null && tree === headTree && !isStaged)
    return { commit: head, isDirty: false, withheld: local.withheld }
  const parents = head === null ? [] : [head]
  const message = 'Snapshot of the workspace before a pull\n'
  const index = isStaged ? await createCommit(git, host, { tree: staged, parents, message }) : null
  const all = index === null ? parents : [...parents, index]
  const commit = await createCommit(git, host, { tree, parents: all, message })
  return { commit, isDirty: true, withheld: local.withheld }
}

/** Files that the incoming side adds and that are on disk, although they are ignored here. */
async function listPresent(
  folder: string,
  local: LocalChanges,
  incoming: readonly string[],
): Promise<readonly string[]> {
  const localPaths = new Set([...local.paths, ...local.withheld.map(({ path }) => path)])
  const present: string[] = []
  for (const path of incoming.filter((each) => !localPaths.has(each)))
    if ((await hasPlainParents(folder, path)) && (await readKind(join(folder, path))) === 'file')
      present.push(path)
  return present
}

/** What the user has staged; undefined without an index. */
async function readStagedTree(scratch: Scratch): Promise<string | undefined> {
  if (!(await exists(join(scratch.git.gitDir, 'index')))) return undefined
  await copyIndex(scratch, 'staged')
  const { code, stdout, stderr } = await scratch.git.run(
    ['write-tree'],
    scratch.withIndex('staged', listLimits),
  )
  if (code === 0) return stdout.trim()
  if (/unmerged/.test(stderr)) throw new GitFailure('git_busy', { details: ['unmerged files'] })
  throw new GitFailure('repository_damaged', { output: stderr.trim() })
}
