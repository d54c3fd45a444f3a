import { join } from 'node:path'
import { exists } from '../../kernel/files/optional-files.ts'
import { applyPlan, isUnchanged, type Plan, planApply } from './apply.ts'
import { toGitFailure } from './failure.ts'
import { type Git, listLimits } from './git.ts'
import { type Journal, readJournal, removeJournal, writeJournal } from './journal.ts'
import type { GitSyncNeeds } from './needs.ts'
import { isRegular, readEntries } from './objects.ts'
import { isSafePath, type ProtectedPaths } from './paths.ts'
import { findCommit } from './repository.ts'
import { assertIndexUnlocked, replaceIndex, type Scratch, withScratch } from './scratch.ts'
import { prepareIndex } from './snapshot.ts'

type FinishNeeds = Pick<GitSyncNeeds, 'folder' | 'host' | 'locks' | 'log'>

interface Finish {
  readonly scratch: Scratch
  readonly journal: Journal
  readonly plan: Plan
  readonly paths: ProtectedPaths
}

/**
 * Moves the files, the branch and the index to the new state. Returns false when files have changed
 * in the meantime: what was moved stays, and the pull begins again.
 */
export async function finishPull(needs: FinishNeeds, finish: Finish): Promise<boolean> {
  const { journal, plan, scratch } = finish
  if (!(await isUnchanged(needs.folder, plan))) return false
  await writeJournal(needs.folder, journal)
  return await moveAll(needs, finish, scratch)
}

async function moveAll(
  needs: FinishNeeds,
  { journal, paths, plan }: Finish,
  scratch: Scratch,
): Promise<boolean> {
  const changed = await applyPlan(needs, plan)
  const isMoved = changed.length === 0 && (await moveBranch(scratch.git, journal))
  if (isMoved) await moveIndex(needs, { scratch, merge: journal.merge, paths })
  await removeJournal(needs.folder)
  return isMoved
}

/** False when the branch has another commit than the pull began with. */
async function moveBranch(git: Git, { branch, from, merge }: Journal): Promise<boolean> {
  const current = await findCommit(git, `refs/heads/${branch}`)
  if (current === merge) return true
  if (current !== from) return false
  const none = '0'.repeat(merge.length)
  const args = ['update-ref', '-m', 'pull', `refs/heads/${branch}`, merge, from ?? none]
  const { code, stderr } = await git.run(args)
  if (code === 0) return true
  if (/but expected|reference already exists|cannot lock ref/.test(stderr)) return false
  throw toGitFailure(stderr, 'repository_damaged')
}

interface IndexMove {
  readonly scratch: Scratch
  readonly merge: string
  readonly paths: ProtectedPaths
}

/** The index of the branch. Entries that are never written are marked, so that they do not count as removed. */
async function moveIndex(
  { host }: FinishNeeds,
  { scratch, merge, paths }: IndexMove,
): Promise<void> {
  const { git, withIndex } = scratch
  await prepareIndex(scratch, 'branch', merge)
  const entries = await readEntries(git, merge)
  const absent: string[] = []
  for (const { mode, path } of entries)
    if (!isRegular(mode) || !isSafePath(path) || paths.has(path))
      if (!isSafePath(path) || !(await exists(join(git.folder, path)))) absent.push(path)
  if (absent.length > 0) {
    const input = absent.map((path) => `${path}\0`).join('')
    const args = ['update-index', '--skip-worktree', '-z', '--stdin']
    await git.read(args, withIndex('branch', { ...listLimits, input }))
  }
  await replaceIndex(scratch, 'branch', host)
}

/**
 * Completes a pull that a kill has interrupted: files as before it are moved, others stay. A file
 * with newer text leaves the branch as it was, so that the next pull merges it.
 */
export async function recoverPull(
  needs: FinishNeeds,
  git: Git,
  paths: ProtectedPaths,
): Promise<void> {
  const journal = await readJournal(needs.folder)
  if (journal === undefined) return
  await assertIndexUnlocked(git, needs.host)
  await withScratch(git, async (scratch) => {
    const { local, target } = journal
    const plan = await planApply(scratch, { before: local, after: target, paths })
    const isComplete = await moveAll(needs, { scratch, journal, plan, paths }, scratch)
    needs.log.info({ isComplete }, 'interrupted git pull recovered')
  })
}
