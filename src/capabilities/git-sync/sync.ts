import { type CommitOutcome, commitChanges } from './commit.ts'
import { GitFailure } from './failure.ts'
import type { GitOutcome, Operation } from './operation.ts'
import { type PullOutcome, pull } from './pull.ts'
import { push } from './push.ts'
import { readBranch } from './repository.ts'

export interface SyncOutcome extends Omit<PullOutcome, 'changes'> {
  readonly pulled: number
  readonly pushed: number
}

const maxAttempts = 3
const minPauseMs = 500
const maxPauseMs = 2_000

/** Commits if the settings say so, pulls and pushes. A push that another machine beat is repeated. */
export async function sync(operation: Operation): Promise<SyncOutcome> {
  const { autoCommit } = operation.config
  const committed = autoCommit ? await commitAfterJoin(operation) : { commit: null, withheld: [] }
  let pulled = 0
  const outcomes: PullOutcome[] = []
  for (let attempt = 1; ; attempt++) {
    const incoming = await pull(operation)
    outcomes.push(incoming)
    pulled += incoming.changes
    try {
      const outgoing = await push(operation)
      return toOutcome({
        committed,
        outcomes,
        pulled,
        outgoing,
        pushed: outgoing.changes,
      })
    } catch (error) {
      const isRejected = error instanceof GitFailure && error.code === 'push_rejected'
      if (!isRejected || attempt >= maxAttempts) throw error
      await pause(operation)
    }
  }
}

/**
 * Commits the watched files. A workspace without a commit first takes the commits of the remote. A
 * first commit of its own would have no common history with them.
 */
export async function commitAfterJoin(operation: Operation): Promise<CommitOutcome> {
  const { head } = await readBranch(operation.git)
  if (head === null) await pull(operation)
  return await commitChanges(operation)
}

async function pause({ needs, signal }: Operation): Promise<void> {
  const ms = minPauseMs + needs.host.random() * (maxPauseMs - minPauseMs)
  await needs.host.sleep(ms, signal)
  signal.throwIfAborted()
}

interface Parts {
  readonly committed: CommitOutcome
  readonly outcomes: readonly PullOutcome[]
  readonly pulled: number
  readonly outgoing: GitOutcome
  readonly pushed: number
}

function toOutcome({ committed, outcomes, pulled, outgoing, pushed }: Parts): SyncOutcome {
  const parts = outcomes.map(({ message }) => message)
  const withheld = [...committed.withheld, ...outcomes.flatMap((each) => each.withheld ?? [])]
  const first = committed.commit === null ? [] : ['committed local changes']
  return {
    success: true,
    message: [...new Set([...first, ...parts, outgoing.message])].join('; '),
    output: [...outcomes, outgoing].map(({ output }) => output).join(''),
    error: null,
    pulled,
    pushed,
    conflicts: outcomes.flatMap((each) => each.conflicts ?? []),
    skipped: outcomes.flatMap((each) => each.skipped ?? []),
    withheld: [...new Map(withheld.map((each) => [each.path, each])).values()],
    rewritten: outcomes.some(({ rewritten }) => rewritten === true),
    saved: outcomes.findLast(({ saved }) => saved != null)?.saved ?? null,
  }
}
