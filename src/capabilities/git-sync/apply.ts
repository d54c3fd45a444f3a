import { createReadStream } from 'node:fs'
import { lstat, mkdir, readdir, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../../kernel/errors/system-error.ts'
import type { FileLocks } from '../../kernel/files/file-lock.ts'
import { makeFolder } from '../../kernel/files/folders.ts'
import { isFolder } from '../../kernel/files/optional-files.ts'
import { replaceFileWith } from '../../kernel/files/replace-file.ts'
import { GitFailure } from './failure.ts'
import { listLimits } from './git.ts'
import { absentMode, type Change, isRegular, listChanges, readFileState } from './objects.ts'
import { hasPlainParents, isSafePath, type ProtectedPaths } from './paths.ts'
import type { Scratch } from './scratch.ts'
import { isSettingsFile } from './settings-rule.ts'

export interface Skipped {
  readonly path: string
  readonly reason:
    | 'protected'
    | 'link'
    | 'submodule'
    | 'name'
    | 'parent'
    | 'not_a_file'
    | 'too_large'
}

interface Step extends Change {
  /** The staged file with the new bytes; undefined for a removal. */
  readonly staged: string | undefined
}

/** The changes of the workspace that a pull makes, with all new bytes on disk in the scratch folder. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly skipped: readonly Skipped[]
}

interface Trees {
  readonly before: string
  readonly after: string
  readonly paths: ProtectedPaths
  /** Local files that the snapshot lacks. */
  readonly withheld?: readonly string[]
}

/** Lists the changed files and writes their new bytes to the scratch folder. */
export async function planApply(
  scratch: Scratch,
  { before, after, paths, withheld = [] }: Trees,
): Promise<Plan> {
  const changes = await listChanges(scratch.git, before, after)
  const skipped: Skipped[] = []
  const accepted: Change[] = []
  for (const change of changes) {
    const reason = withheld.includes(change.path)
      ? 'too_large'
      : await findSkipReason(scratch.git.folder, change, paths)
    if (reason === undefined) accepted.push(change)
    else skipped.push({ path: change.path, reason })
  }
  const newFiles = accepted.filter(({ after }) => after.mode !== absentMode)
  await stageFiles(scratch, newFiles)
  const stagedFiles = new Map(
    newFiles.map(({ path }, index) => [path, join(scratch.folder, toStagedName(index))]),
  )
  return {
    steps: accepted.map((change) => ({ ...change, staged: stagedFiles.get(change.path) })),
    skipped,
  }
}

async function findSkipReason(
  folder: string,
  { path, before, after }: Change,
  paths: ProtectedPaths,
): Promise<Skipped['reason'] | undefined> {
  for (const { mode } of [before, after]) {
    if (mode === '160000') return 'submodule'
    if (mode !== absentMode && !isRegular(mode)) return 'link'
  }
  if (!isSafePath(path)) return 'name'
  if (paths.has(path)) return 'protected'
  if (!(await hasPlainParents(folder, path))) return 'parent'
  return (await isOtherThanFile(join(folder, path))) ? 'not_a_file' : undefined
}

async function isOtherThanFile(path: string): Promise<boolean> {
  try {
    return !(await lstat(path)).isFile()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

const toStagedName = (index: number) => `files/${index}`

/** Generated names in one folder, so that no name of the repository selects a path. */
async function stageFiles(
  { folder, git, withIndex }: Scratch,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return
  const input = changes
    .map(({ after }, index) => `${after.mode} ${after.object}\t${toStagedName(index)}\0`)
    .join('')
  await mkdir(join(folder, 'files'), { recursive: true })
  await git.read(
    ['update-index', '-z', '--index-info'],
    withIndex('files', { ...listLimits, input }),
  )
  await git.read(
    ['checkout-index', '-a', '-f', `--prefix=${folder}/`],
    withIndex('files', listLimits),
  )
  const names = await readdir(join(folder, 'files'))
  if (names.length !== changes.length)
    throw new GitFailure('repository_damaged', { output: 'a file could not be read' })
}

/** Whether each file has its content of before or after the change. */
export async function isUnchanged(folder: string, { steps }: Plan): Promise<boolean> {
  for (const step of steps) if ((await compare(folder, step)) === 'other') return false
  return true
}

async function compare(folder: string, { path, before, after }: Change) {
  const { length } = after.object === '' ? before.object : after.object
  const state = await readFileState(join(folder, path), length)
  if (state === 'other') return 'other'
  const isAbsent = state.mode === absentMode
  const equals = (side: Change['after']) =>
    side.mode === absentMode ? isAbsent : !isAbsent && side.object === state.object
  if (equals(after)) return 'after'
  return equals(before) ? 'before' : 'other'
}

interface ApplyNeeds {
  readonly folder: string
  readonly locks: FileLocks
}

/** Moves the workspace to the new state. Returns the files that have changed in the meantime. */
export async function applyPlan(needs: ApplyNeeds, { steps }: Plan): Promise<readonly string[]> {
  const changed: string[] = []
  for (const step of steps) {
    const file = join(needs.folder, step.path)
    const move = async () => {
      const state = await compare(needs.folder, step)
      if (state === 'other') changed.push(step.path)
      else if (state === 'before') await moveFile(needs.folder, step)
    }
    if (hasWriters(step.path) && (await isFolder(dirname(file))))
      await needs.locks.withLock(file, move)
    else await move()
  }
  return changed
}

/** Other parts of the service write these files under their lock. */
function hasWriters(path: string): boolean {
  return path.endsWith('.jsonl') || isSettingsFile(path)
}

async function moveFile(folder: string, { path, after, staged }: Step): Promise<void> {
  const file = join(folder, path)
  if (staged === undefined) {
    await unlink(file)
    return await removeEmptyParents(folder, dirname(path))
  }
  if (!(await hasPlainParents(folder, path)))
    throw new GitFailure('files_changing', { details: [path] })
  await makeFolder(dirname(file))
  await replaceFileWith(
    file,
    (handle) => handle.writeFile(createReadStream(staged)),
    after.mode === '100755' ? 0o700 : 0o600,
  )
}

async function removeEmptyParents(folder: string, path: string): Promise<void> {
  if (path === '.') return
  try {
    await rmdir(join(folder, path))
  } catch (error) {
    const stays = ['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY', 'EACCES', 'EPERM']
    if (stays.some((code) => hasCode(error, code))) return
    throw error
  }
  await removeEmptyParents(folder, dirname(path))
}
