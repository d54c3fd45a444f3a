import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findProgram } from '../../../kernel/process/find-program.ts'
import { UpdateFailure } from './failure.ts'
import { type ProgramNeeds, runProgram } from './program.ts'

const gitTimeoutMs = 120_000
const buildTimeoutMs = 900_000

interface CloneRequest {
  readonly root: string
  readonly version: string
  readonly folder: string
  readonly signal: AbortSignal
}

/** Refuses a clone with own changes, or whose origin lacks the tag of the version. */
export async function assertCloneReady(
  needs: ProgramNeeds,
  { root, version, signal }: Omit<CloneRequest, 'folder'>,
): Promise<void> {
  const git = await createGit(needs, { root, signal })
  const status = await git(['status', '--porcelain', '--untracked-files=no'])
  if (!status.succeeded || status.stdout !== '')
    throw unsupported('The clone has changes that are not committed.')
  const remote = await git([
    'ls-remote',
    '--exit-code',
    '--tags',
    'origin',
    `refs/tags/v${version}`,
  ])
  if (!remote.succeeded) throw unsupported(`origin has no tag v${version}.`)
}

/** Checks the tag out into a folder of its own and builds it there. */
export async function stageClone(
  needs: ProgramNeeds,
  { root, version, folder, signal }: CloneRequest,
): Promise<{ readonly program: string; readonly output: string }> {
  const git = await createGit(needs, { root, signal })
  const tag = `refs/tags/v${version}`
  await rm(folder, { recursive: true, force: true })
  assertDone('git fetch', await git(['fetch', '--no-tags', 'origin', `+${tag}:${tag}`]))
  assertDone('git worktree', await git(['worktree', 'add', '--detach', folder, tag]))
  const npm = await findProgram('npm', needs.variables())
  if (npm === undefined)
    throw new UpdateFailure('install_failed', 'npm is not on the PATH of the daemon.')
  const outputs = []
  for (const args of [
    ['ci', '--no-audit', '--no-fund'],
    ['run', 'build'],
  ]) {
    const request = { purpose: 'update build', command: npm, args, cwd: folder, signal }
    const result = await runProgram(needs, { ...request, timeoutMs: buildTimeoutMs })
    assertDone(`npm ${args[0]}`, result)
    outputs.push(result.output)
  }
  return { program: join('bin', 'reverie'), output: outputs.join('\n') }
}

/** After the folder of a checkout was renamed or deleted. */
export async function repairClone(
  needs: ProgramNeeds,
  { root, folder, signal }: Omit<CloneRequest, 'version'>,
): Promise<void> {
  const git = await createGit(needs, { root, signal })
  await git(['worktree', 'repair', folder])
  await git(['worktree', 'prune'])
}

async function createGit(
  needs: ProgramNeeds,
  { root, signal }: Pick<CloneRequest, 'root' | 'signal'>,
) {
  const command = await findProgram('git', needs.variables())
  if (command === undefined) throw unsupported('git is not on the PATH of the daemon.')
  const env = { GIT_TERMINAL_PROMPT: '0' }
  return (args: readonly string[]) =>
    runProgram(needs, {
      purpose: 'update git',
      command,
      args: ['-c', 'core.hooksPath=/dev/null', ...args],
      cwd: root,
      env,
      timeoutMs: gitTimeoutMs,
      signal,
    })
}

function assertDone(name: string, result: { succeeded: boolean; output: string }): void {
  const { succeeded, output } = result
  if (!succeeded) throw new UpdateFailure('install_failed', `${name} failed.`, { output })
}

function unsupported(why: string): UpdateFailure {
  const message = `${why} Update it by hand: git pull && npm ci`
  return new UpdateFailure('unsupported_installation', message)
}
