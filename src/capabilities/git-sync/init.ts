import { Refusal } from '../../kernel/errors/refusal.ts'
import { holdsSecret } from '../../kernel/redaction/redact.ts'
import { mutateTimeoutMs } from './git.ts'
import { type GitOutcome, type Operation, succeed } from './operation.ts'
import { hasProblem, parseRemoteUrl } from './remote-url.ts'
import { assertSafeRepository, findRepositoryProblem, writeIgnoreBlock } from './repository.ts'

interface InitRequest {
  readonly remoteUrl?: string | undefined
  readonly branch?: string | undefined
}

export interface InitOutcome extends GitOutcome {
  readonly branch: string
  /** Without userinfo. */
  readonly remote: string | null
}

/** Makes the workspace a repository. Refuses `git_repository_exists` where there is one. */
export async function initRepository(
  { config, git, needs, paths }: Operation,
  { remoteUrl, branch = config.branch }: InitRequest,
): Promise<InitOutcome> {
  const url = remoteUrl === undefined ? undefined : assertRemoteUrl(remoteUrl)
  if ((await findRepositoryProblem(git)) !== 'not_a_repository') {
    const message = 'The workspace has a folder .git already. Remove it, or use it as it is.'
    throw new Refusal('conflict', 'git_repository_exists', message)
  }
  // An empty template: the user's own could bring hooks.
  const args = ['init', '--quiet', '--template=', `--initial-branch=${branch}`]
  await git.read(args, { timeoutMs: mutateTimeoutMs })
  await assertSafeRepository(git)
  await writeIgnoreBlock(needs.folder, paths)
  if (url !== undefined && remoteUrl !== undefined) {
    const { remote } = config
    await git.read(['config', '--local', `remote.${remote}.url`, remoteUrl])
    const refs = `+refs/heads/*:refs/remotes/${remote}/*`
    await git.read(['config', '--local', `remote.${remote}.fetch`, refs])
  }
  const message = `created a repository with the branch ${branch}`
  return { ...succeed(message), branch, remote: url?.displayUrl ?? null }
}

function assertRemoteUrl(text: string) {
  const parsed = holdsSecret(text)
    ? ({ problem: 'credentials_in_url' } as const)
    : parseRemoteUrl(text)
  if (!hasProblem(parsed)) return parsed
  const message =
    parsed.problem === 'credentials_in_url'
      ? 'remoteUrl contains a credential. Remove it, and set git.tokenRef.'
      : 'remoteUrl must be an https, ssh or file address, or an absolute path.'
  throw new Refusal('invalid', 'git_url_refused', message)
}
