import { planApply, type Skipped } from './apply.ts'
import { findAccess, readRemote } from './credentials.ts'
import { GitFailure, toGitFailure } from './failure.ts'
import { finishPull } from './finish-pull.ts'
import { fetchTimeoutMs, type Git } from './git.ts'
import { type Conflict, mergeCommits } from './merge.ts'
import { absentMode, createCommit, listChanges, readEntries } from './objects.ts'
import { type GitOutcome, type Operation, succeed } from './operation.ts'
import { assertQuiet, type Branch, findCommit } from './repository.ts'
import { savePoint } from './saved-refs.ts'
import { withScratch } from './scratch.ts'
import { createSnapshot, type Withheld } from './snapshot.ts'

export interface PullOutcome extends GitOutcome {
  readonly changes: number
  readonly conflicts?: readonly Conflict[]
  readonly skipped?: readonly Skipped[]
  readonly withheld?: readonly Withheld[]
  /** Whether the remote has replaced commits that were fetched before. */
  readonly rewritten?: boolean
  /** The ref with all local text before the pull. */
  readonly saved?: string | null
}

const maxAttempts = 3

/** Fetches the branch and brings it into the workspace. No local text is lost. */
export async function pull(operation: Operation): Promise<PullOutcome> {
  const { config, git } = operation
  const before = await assertQuiet(git, config)
  const branch = await fetchBranch(operation)
  if (branch.tip === null) return { ...succeed(branch.message), changes: 0 }
  const { tip, output, rewritten } = branch
  const range = before.head === null ? [tip] : [tip, `^${before.head}`]
  const changes = await countCommits(git, range)
  if (changes === 0) return { ...succeed('already up to date', output), changes, rewritten }
  await assertMergeable(operation, before, tip)
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const result = await applyTip(operation, tip)
    if (result) {
      const message = `pulled ${changes} ${changes === 1 ? 'commit' : 'commits'}`
      return { ...succeed(message, output), changes, rewritten, ...result }
    }
  }
  throw new GitFailure('files_changing')
}

interface Fetched {
  /** Null without a remote or without the branch there. */
  readonly tip: string | null
  readonly message: string
  readonly output: string
  readonly rewritten: boolean
}

/** The remote-tracking ref of the branch. */
export function toTrackingRef({ branch, remote }: Operation['config']): string {
  return `refs/remotes/${remote}/${branch}`
}

async function fetchBranch(operation: Operation): Promise<Fetched> {
  const { config, git, signal } = operation
  const none = { tip: null, output: '', rewritten: false }
  if ((await readRemote(git, config.remote)) === undefined)
    return { ...none, message: 'no remote is configured' }
  const access = await readAccess(operation)
  const tracking = toTrackingRef(config)
  const former = await findCommit(git, tracking)
  const spec = `+refs/heads/${config.branch}:${tracking}`
  const flags = ['--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--refmap=']
  const { code, stderr } = await git.run(['fetch', ...flags, '--', config.remote, spec], {
    ...access,
    timeoutMs: fetchTimeoutMs,
    signal,
  })
  if (/couldn't find remote ref/i.test(stderr))
    return { ...none, message: `the remote has no branch ${config.branch} yet` }
  if (code !== 0) throw toGitFailure(stderr, 'fetch_failed')
  const tip = await findCommit(git, tracking)
  if (tip === null) throw new GitFailure('repository_damaged', { output: stderr })
  const rewritten = former !== null && !(await isAncestor(git, former, tip))
  return { tip, message: '', output: stderr, rewritten }
}

/** Finds the credentials once for a sync of several steps. */
export async function readAccess({ access, config, git, needs }: Operation) {
  const url = await readRemote(git, config.remote)
  if (url === undefined) throw new GitFailure('not_a_repository')
  access.value ??= await findAccess(needs, { git, config, url })
  if (!access.value.hasCredentials) throw new GitFailure('no_credentials')
  return access.value.options
}

async function assertMergeable(
  { config, git }: Operation,
  { head }: Branch,
  tip: string,
): Promise<void> {
  if (head === null || (await isAncestor(git, head, tip))) return
  const { code } = await git.run(['merge-base', head, tip])
  if (code !== 0) throw new GitFailure('unrelated_histories')
  if (config.diverged === 'refuse') throw new GitFailure('diverged')
}

/** Undefined when files of the workspace have changed in the meantime. */
async function applyTip(operation: Operation, tip: string) {
  const { config, git, needs, paths } = operation
  const { settings } = needs
  const { head } = await assertQuiet(git, config)
  return await withScratch(git, async (scratch) => {
    const label = tip
    const mergeNeeds = { scratch, settings }
    const branch = await mergeBranch(operation, { head, tip, mergeNeeds })
    const incoming = await listAdded(git, head, branch.commit)
    const local = await createSnapshot(scratch, { head, paths, incoming, host: needs.host })
    const saved = local.isDirty ? await savePoint(git, needs.host, local.commit) : null
    const input = { base: head, ours: local.commit, theirs: branch.commit, label }
    const merged = await mergeCommits(mergeNeeds, input)
    const withheld = local.withheld.map(({ path }) => path)
    const trees = { before: local.commit, after: merged.tree, paths, withheld }
    const plan = await planApply(scratch, trees)
    const journal = {
      version: 1,
      branch: config.branch,
      local: local.commit,
      merge: branch.commit,
      target: merged.tree,
      from: head,
    } as const
    if (!(await finishPull(needs, { scratch, journal, plan, paths }))) return undefined
    return {
      conflicts: [...branch.conflicts, ...merged.conflicts],
      skipped: plan.skipped,
      withheld: local.withheld,
      saved,
    }
  })
}

interface BranchMerge {
  readonly head: string | null
  readonly tip: string
  readonly mergeNeeds: Parameters<typeof mergeCommits>[0]
}

/** The commit that the branch gets: that of the remote, or a merge with ours. */
async function mergeBranch(
  { config, git, needs }: Operation,
  { head, tip, mergeNeeds }: BranchMerge,
): Promise<{ readonly commit: string; readonly conflicts: readonly Conflict[] }> {
  if (head === null || (await isAncestor(git, head, tip))) return { commit: tip, conflicts: [] }
  const base = await git.read(['merge-base', head, tip])
  const merged = await mergeCommits(mergeNeeds, { base, ours: head, theirs: tip, label: tip })
  const commit = await createCommit(git, needs.host, {
    tree: merged.tree,
    parents: [head, tip],
    message: `Merge ${config.remote}/${config.branch}\n`,
  })
  return { commit, conflicts: merged.conflicts }
}

async function listAdded(git: Git, head: string | null, commit: string): Promise<string[]> {
  if (head === null) return (await readEntries(git, commit)).map(({ path }) => path)
  const changes = await listChanges(git, head, commit)
  return changes.filter(({ before }) => before.mode === absentMode).map(({ path }) => path)
}

async function isAncestor(git: Git, older: string, newer: string): Promise<boolean> {
  return (await git.run(['merge-base', '--is-ancestor', older, newer])).code === 0
}

export async function countCommits(git: Git, range: readonly string[]): Promise<number> {
  return Number(await git.read(['rev-list', '--count', ...range, '--']))
}
