import { readRemote } from './credentials.ts'
import { GitFailure, toGitFailure } from './failure.ts'
import { fetchTimeoutMs, type Git, listLimits } from './git.ts'
import { splitList } from './objects.ts'
import { type GitOutcome, type Operation, succeed } from './operation.ts'
import type { ProtectedPaths } from './paths.ts'
import { countCommits, readAccess, toTrackingRef } from './pull.ts'
import { assertQuiet, findCommit } from './repository.ts'

export interface PushOutcome extends GitOutcome {
  readonly changes: number
}

const maxCheckedCommits = 1_000
const noCommit = 'nothing is committed yet; set git.autoCommit to true, or commit with git'

/** Sends the commits of the branch; never replaces commits of the remote, and sends no tags. */
export async function push(operation: Operation): Promise<PushOutcome> {
  const { config, git, paths, signal } = operation
  const { head } = await assertQuiet(git, config)
  if ((await readRemote(git, config.remote)) === undefined)
    return { ...succeed('no remote is configured'), changes: 0 }
  const access = await readAccess(operation)
  const tracking = toTrackingRef(config)
  const remoteTip = await findCommit(git, tracking)
  if (head === null) return { ...succeed(noCommit), changes: 0 }
  const range = remoteTip === null ? [head] : [head, `^${remoteTip}`]
  const changes = await countCommits(git, range)
  if (changes === 0) return { ...succeed('nothing to push'), changes }
  await assertNoProtected(git, range, paths)
  const flags = ['--porcelain', '--no-recurse-submodules', '--no-signed']
  const spec = `${head}:refs/heads/${config.branch}`
  const result = await git.run(['push', ...flags, '--', config.remote, spec], {
    ...access,
    timeoutMs: fetchTimeoutMs,
    signal,
  })
  const output = `${result.stdout}${result.stderr}`
  if (result.code !== 0) throw toGitFailure(output, 'fetch_failed')
  await git.run(['update-ref', tracking, head])
  const message = `pushed ${changes} ${changes === 1 ? 'commit' : 'commits'}`
  return { ...succeed(message, output), changes }
}

/** Reads the names in the commits themselves: a later commit does not remove what an earlier has. */
async function assertNoProtected(
  git: Git,
  range: readonly string[],
  paths: ProtectedPaths,
): Promise<void> {
  const count = `--max-count=${maxCheckedCommits}`
  const commits = await git.read(['rev-list', count, ...range, '--'], listLimits)
  // For a merge, only names that differ from all parents.
  const flags = ['--stdin', '-r', '-z', '-c', '--root', '--no-commit-id', '--no-renames']
  const text = await git.read(['diff-tree', ...flags, '--name-status'], {
    ...listLimits,
    input: `${commits}\n`,
  })
  const parts = splitList(text)
  const names = parts.filter((_, index) => index % 2 === 1)
  const isRemoved = (name: number) => /^D+$/.test(parts[name * 2] ?? '')
  const pushedPaths = names.filter((path, index) => !isRemoved(index) && paths.has(path))
  if (pushedPaths.length > 0)
    throw new GitFailure('protected_in_history', {
      details: [...new Set(pushedPaths)].slice(0, 100),
    })
}
