import { join } from 'node:path'
import { type AuthMethod, findAccess, readRemote } from './credentials.ts'
import { failures, GitFailure } from './failure.ts'
import { type Git, listBytes } from './git.ts'
import { splitList } from './objects.ts'
import { type Operation, toExpectedFailure } from './operation.ts'
import { isConflictCopy } from './paths.ts'
import { toTrackingRef } from './pull.ts'
import { assertSafeRepository, exists, findRepositoryProblem, readBranch } from './repository.ts'

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
  readonly isResting: boolean
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
      return none
    }
    if (problem !== undefined) {
      const { fix } = failures[problem === 'not_ours' ? 'not_ours' : 'not_a_repository']
      return { ...none, degraded: true, degradedReason: problem, fix }
    }
    await assertSafeRepository(git)
    return { ...none, ...(await readRepository(operation)), ...toBackground(background) }
  } catch (error) {
    const { code } = toExpectedFailure(error)
    return { ...none, degraded: true, degradedReason: code, fix: failures[code].fix }
  }
}

function toBackground({ lastSync, isResting }: Background) {
  const resting = { degraded: true, degradedReason: 'circuit_open', fix: failures.circuit_open.fix }
  return { ...(lastSync !== undefined && { lastSync }), ...(isResting && resting) }
}

async function readRepository(operation: Operation): Promise<Partial<GitStatus>> {
  const { config, git } = operation
  const [{ name, head }, entries, copies] = await Promise.all([
    readBranch(git),
    listEntries(git),
    listConflictCopies(git),
  ])
  const [distance, lastCommit, remote] = await Promise.all([
    countDistance(git, head, toTrackingRef(config)),
    head === null ? null : readCommit(git, head),
    describeRemote(operation),
  ])
  return {
    isRepo: true,
    branch: name,
    dirty: entries > 0,
    uncommittedChanges: entries,
    lastCommit,
    ...distance,
    unpushedCommits: distance.ahead,
    unpulledCommits: distance.behind,
    conflicts: copies.length,
    ...(copies.length > 0 && { conflictCopies: copies.slice(0, maxListedCopies) }),
    ...remote,
  }
}

async function listEntries(git: Git): Promise<number> {
  const args = ['status', '--porcelain', '-z', '--no-renames', '--ignore-submodules=all']
  return splitList(await git.read(args, { maxOutputBytes: listBytes })).length
}

/** The conflict copies on disk, whether they are committed or not. */
async function listConflictCopies(git: Git): Promise<readonly string[]> {
  const pattern = ':(glob)**/*.conflict-*'
  const args = ['ls-files', '-c', '-o', '--exclude-standard', '-z', '--', pattern]
  const listed = splitList(await git.read(args, { maxOutputBytes: listBytes }))
  const copies = [...new Set(listed)].filter(isConflictCopy)
  const present: string[] = []
  for (const path of copies) if (await exists(join(git.folder, path))) present.push(path)
  return present.toSorted()
}

async function countDistance(git: Git, head: string | null, tracking: string) {
  if (head === null) return { ahead: 0, behind: 0 }
  const args = ['rev-list', '--left-right', '--count', `${head}...${tracking}`, '--']
  const { code, stdout } = await git.run(args)
  const [ahead, behind] = stdout.trim().split(/\s+/).map(Number)
  return code === 0 ? { ahead: ahead ?? 0, behind: behind ?? 0 } : { ahead: 0, behind: 0 }
}

const maxListedCopies = 100
const maxMessageLength = 200

async function readCommit(git: Git, head: string) {
  const format = '--format=%H%x00%cI%x00%s'
  const text = await git.read([
    'log',
    '-1',
    '--no-show-signature',
    '--no-decorate',
    format,
    head,
    '--',
  ])
  const [hash = head, date = '', message = ''] = text.split('\0')
  return { hash, date, message: message.slice(0, maxMessageLength) }
}

async function describeRemote({ config, git, needs }: Operation): Promise<Partial<GitStatus>> {
  try {
    const url = await readRemote(git, config.remote)
    if (url === undefined) return { remote: null, authMethod: 'no-remote', hasCredentials: false }
    const { hasCredentials, method } = await findAccess(needs, { git, config, url })
    return { remote: url.shown, authMethod: method, hasCredentials }
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    return { degraded: true, degradedReason: error.code, fix: failures[error.code].fix }
  }
}
