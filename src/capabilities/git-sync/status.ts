import { join } from 'node:path'
import { exists } from '../../kernel/files/optional-files.ts'
import { type AuthMethod, findAccess, findRemote } from './credentials.ts'
import { failures, GitFailure, toGitFailure } from './failure.ts'
import { type Git, listBytes } from './git.ts'
import { splitList } from './objects.ts'
import { type Operation, toExpectedFailure } from './operation.ts'
import { isConflictCopy } from './paths.ts'
import { toTrackingRef } from './pull.ts'
import {
  assertSafeRepository,
  findRepositoryProblem,
  type RepositorySettings,
} from './repository.ts'

export interface GitStatus {
  readonly branch: string | null
  readonly ahead: number
  readonly behind: number
  readonly dirty: boolean
  readonly lastCommit: {
    readonly hash: string
    readonly message: string
    readonly date: string
  } | null
  readonly isRepo: boolean
  readonly hasCredentials: boolean
  readonly autoSync: boolean
  readonly remote?: string | null
  readonly authMethod?: AuthMethod
  readonly lastSync?: string
  readonly uncommittedChanges?: number
  readonly unpushedCommits?: number
  readonly unpulledCommits?: number
  /** Conflict copies that are still there. */
  readonly conflicts?: number
  /** The first of them. */
  readonly conflictCopies?: readonly string[]
  readonly degraded?: boolean
  readonly degradedReason?: string
  readonly fix?: string
}

interface Background {
  readonly lastSync: string | undefined
  readonly isBackingOff: boolean
}

/** Reports the repository without the network. Never fails. */
export async function readStatus(operation: Operation, background: Background): Promise<GitStatus> {
  const { config, git } = operation
  const none = {
    branch: null,
    ahead: 0,
    behind: 0,
    dirty: false,
    lastCommit: null,
    isRepo: false,
    hasCredentials: false,
    autoSync: config.autoSync,
  }
  try {
    const problem = await findRepositoryProblem(git)
    // Without a repository, a missing program is still of interest.
    if (problem === 'not_a_repository') {
      await git.read(['version'])
      return { ...none, fix: failures.not_a_repository.fix }
    }
    if (problem !== undefined) {
      const { fix } = failures[problem === 'not_ours' ? 'not_ours' : 'not_a_repository']
      return { ...none, degraded: true, degradedReason: problem, fix }
    }
    const settings = await assertSafeRepository(git)
    const repository = await readRepository(operation, settings)
    return { ...none, ...repository, ...toBackground(background) }
  } catch (error) {
    const { code } = toExpectedFailure(error)
    return { ...none, degraded: true, degradedReason: code, fix: failures[code].fix }
  }
}

function toBackground({ lastSync, isBackingOff }: Background) {
  const backingOff = {
    degraded: true,
    degradedReason: 'circuit_open',
    fix: failures.circuit_open.fix,
  }
  return { ...(lastSync !== undefined && { lastSync }), ...(isBackingOff && backingOff) }
}

async function readRepository(
  operation: Operation,
  settings: RepositorySettings,
): Promise<Partial<GitStatus>> {
  const { config, git } = operation
  const [tree, tracked, log] = await Promise.all([
    readTree(git),
    listTrackedCopies(git),
    readLog(git),
  ])
  const { entries, head, name } = tree
  const isCounted = tree.upstream === `${config.remote}/${config.branch}`
  const [distance, remote, copies] = await Promise.all([
    isCounted ? tree.distance : countDistance(git, head, toTrackingRef(config)),
    describeRemote(operation, settings),
    listPresentCopies(git, tracked, tree.untracked),
  ])
  return {
    isRepo: true,
    branch: name,
    dirty: entries > 0,
    uncommittedChanges: entries,
    lastCommit: head === null ? null : toCommit(log),
    ...distance,
    unpushedCommits: distance.ahead,
    unpulledCommits: distance.behind,
    conflicts: copies.length,
    ...(copies.length > 0 && { conflictCopies: copies.slice(0, maxListedCopies) }),
    ...remote,
  }
}

const noDistance = { ahead: 0, behind: 0 }

/** The branch, its distance to its upstream and the changes, from one process. */
async function readTree(git: Git) {
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--no-renames']
  const text = await git.read([...args, '--ignore-submodules=all'], { maxOutputBytes: listBytes })
  const parts = splitList(text)
  const headers = new Map(
    parts.filter((part) => part.startsWith('# ')).map((part) => splitOnce(part.slice(2))),
  )
  const [oid, name] = [headers.get('branch.oid'), headers.get('branch.head')]
  const [, ahead = '0', behind = '0'] =
    /^\+(\d+) -(\d+)$/.exec(headers.get('branch.ab') ?? '') ?? []
  const entries = parts.filter((part) => !part.startsWith('# '))
  return {
    head: oid === undefined || oid === '(initial)' ? null : oid,
    name: name === undefined || name === '(detached)' ? null : name,
    upstream: headers.has('branch.ab') ? headers.get('branch.upstream') : undefined,
    distance: { ahead: Number(ahead), behind: Number(behind) },
    entries: entries.length,
    untracked: entries.flatMap((entry) => (entry.startsWith('? ') ? entry.slice(2) : [])),
  }
}

function splitOnce(header: string): [string, string] {
  const at = header.indexOf(' ')
  return [header.slice(0, at), header.slice(at + 1)]
}

const copyPattern = ':(glob)**/*.conflict-*'

async function listTrackedCopies(git: Git): Promise<readonly string[]> {
  const args = ['ls-files', '-c', '-z', '--', copyPattern]
  return splitList(await git.read(args, { maxOutputBytes: listBytes }))
}

/** The conflict copies on disk. An untracked folder is one entry of the status. */
async function listPresentCopies(
  git: Git,
  tracked: readonly string[],
  untracked: readonly string[],
): Promise<readonly string[]> {
  const args = ['ls-files', '-o', '--exclude-standard', '-z', '--', copyPattern]
  const inFolders = untracked.some((path) => path.endsWith('/'))
    ? splitList(await git.read(args, { maxOutputBytes: listBytes }))
    : []
  const copies = [...new Set([...tracked, ...untracked, ...inFolders])].filter(isConflictCopy)
  const present: string[] = []
  for (const path of copies) if (await exists(join(git.folder, path))) present.push(path)
  return present.toSorted()
}

async function countDistance(git: Git, head: string | null, tracking: string) {
  if (head === null) return noDistance
  const args = ['rev-list', '--left-right', '--count', `${head}...${tracking}`, '--']
  const { code, stdout } = await git.run(args)
  const [ahead, behind] = stdout.trim().split(/\s+/).map(Number)
  return code === 0 ? { ahead: ahead ?? 0, behind: behind ?? 0 } : noDistance
}

const maxListedCopies = 100
const maxMessageLength = 200

/** Runs at the same time as the status, which says whether there is a commit. */
function readLog(git: Git) {
  const format = '--format=%H%x00%cI%x00%s'
  return git.run(['log', '-1', '--no-show-signature', '--no-decorate', format, 'HEAD', '--'])
}

function toCommit({ code, stdout, stderr }: Awaited<ReturnType<typeof readLog>>) {
  if (code !== 0) throw toGitFailure(stderr || stdout, 'repository_damaged')
  const [hash = '', date = '', message = ''] = stdout.trimEnd().split('\0')
  return { hash, date, message: message.slice(0, maxMessageLength) }
}

async function describeRemote(
  { config, git, needs }: Operation,
  settings: RepositorySettings,
): Promise<Partial<GitStatus>> {
  try {
    const url = findRemote(settings, config.remote)
    if (url === undefined) return { remote: null, authMethod: 'no-remote', hasCredentials: false }
    const { hasCredentials, method } = await findAccess(needs, { git, config, url })
    return { remote: url.displayUrl, authMethod: method, hasCredentials }
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return { degraded: true, degradedReason: error.code, fix: failures[error.code].fix }
  }
}
