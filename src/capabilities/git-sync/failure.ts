/** Why a git operation did not succeed. The reply has status 200, the code and the fix. */
export const failures = {
  git_missing: {
    message: 'The program git is not installed.',
    fix: 'Install git 2.38 or newer, for example with apt install git.',
  },
  git_too_old: {
    message: 'The installed git is too old.',
    fix: 'Install git 2.38 or newer.',
  },
  not_a_repository: {
    message: 'The workspace is not a git repository of its own.',
    fix: 'Run reverie git init.',
  },
  not_ours: {
    message: 'The folder .git belongs to another user.',
    fix: 'Run the daemon as the owner of the workspace, or change the owner of .git.',
  },
  git_config_unsafe: {
    message: 'The settings of the repository could run programs or leave the workspace.',
    fix: 'Remove the listed settings with git config --local --unset-all NAME.',
  },
  git_busy: {
    message: 'A merge, a rebase or a detached HEAD is open in the workspace.',
    fix: 'Finish or abort it with git in the workspace.',
  },
  wrong_branch: {
    message: 'Another branch is checked out than git.branch.',
    fix: 'Check out that branch, or change git.branch.',
  },
  no_credentials: {
    message: 'No credentials exist for the remote.',
    fix: 'Set git.tokenRef, sign in with gh auth login, or configure a credential helper of git.',
  },
  fetch_failed: {
    message: 'The remote did not answer as expected.',
    fix: 'Check the address of the remote and the network.',
  },
  auth_failed: {
    message: 'The remote refused the credentials.',
    fix: 'Check the token or the SSH key and its rights.',
  },
  host_unknown: {
    message: 'The host of the remote is unknown or not trusted.',
    fix: 'Check the address; for SSH connect once by hand to accept the host key.',
  },
  timed_out: {
    message: 'A git command exceeded its limits.',
    fix: 'Check the network, then retry.',
  },
  unrelated_histories: {
    message: 'The remote and this workspace have no common commit.',
    fix: 'Use an empty repository, or the one that this workspace came from.',
  },
  diverged: {
    message: 'Both sides have new commits, and git.diverged is refuse.',
    fix: 'Merge by hand, or set git.diverged to merge.',
  },
  files_changing: {
    message: 'Files of the workspace changed during each of three attempts.',
    fix: 'Retry when they are at rest.',
  },
  push_rejected: {
    message: 'The remote has newer commits.',
    fix: 'Run reverie git sync, which pulls first.',
  },
  remote_refused: {
    message: 'The remote refused the push.',
    fix: 'Read its message in error, and change the rules of the remote or the files.',
  },
  protected_in_history: {
    message: 'Commits that were not pushed contain protected files; nothing was pushed.',
    fix: 'Remove the listed files from these commits with git rebase.',
  },
  repository_damaged: {
    message: 'Git reports missing or invalid objects; no file was changed.',
    fix: 'Run git fsck in the workspace, and restore .git from a copy or a new clone.',
  },
  index_locked: {
    message: 'Another git program has locked the index.',
    fix: 'Wait until it ends; if none runs, remove .git/index.lock.',
  },
  storage_full: {
    message: 'The disk is full.',
    fix: 'Free some space, then retry.',
  },
  in_progress: {
    message: 'Another git operation is already in progress.',
    fix: 'Retry when it is complete.',
  },
  circuit_open: {
    message: 'Background sync waits ten minutes after three failures.',
    fix: 'Run reverie git sync to see the cause.',
  },
} as const

export type GitCode = keyof typeof failures

/** An expected failure of a git operation. The details are shown to the caller. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure'
  readonly code: GitCode
  /** What git or the remote printed. */
  readonly output: string
  /** Names, paths or values that the code is about. */
  readonly details: readonly string[]

  constructor(code: GitCode, { output = '', details = [] }: GitFailureDetails = {}) {
    super(failures[code].message)
    this.code = code
    this.output = output
    this.details = details
  }
}

interface GitFailureDetails {
  readonly output?: string
  readonly details?: readonly string[]
}

/** Messages of git in the C locale, the most specific first. */
const patterns: readonly (readonly [GitCode, RegExp])[] = [
  ['storage_full', /No space left on device|Disk quota exceeded/i],
  ['index_locked', /index\.lock'?: File exists/],
  [
    'auth_failed',
    /Authentication failed|could not read (?:Username|Password)|Permission denied \(|terminal prompts disabled|returned error: 40[13]|Invalid username/i,
  ],
  [
    'host_unknown',
    /Could not resolve host|Host key verification failed|Name or service not known/i,
  ],
  [
    'push_rejected',
    /\[rejected\]|fetch first|remote rejected.*(?:cannot lock ref|failed to update ref)/,
  ],
  ['remote_refused', /remote rejected|hook declined|pre-receive hook/],
  [
    'repository_damaged',
    /is empty$|is corrupt|unable to read|missing (?:blob|tree|commit)|bad (?:object|tree)|invalid sha1 pointer|not our ref|index-pack failed|unpack-objects/m,
  ],
]

/** Finds the code of a failed command by its output. */
export function toGitFailure(output: string, byDefault: GitCode): GitFailure {
  const match = patterns.find(([, pattern]) => pattern.test(output))
  return new GitFailure(match?.[0] ?? byDefault, { output: output.trim() })
}
