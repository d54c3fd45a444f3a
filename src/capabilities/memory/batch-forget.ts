import { createHash } from 'node:crypto'
import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { forget } from './forget.ts'
import { refuseWhenFrozen } from './freeze.ts'
import type { MemoryNeeds } from './needs.ts'
import { type Candidate, type Selection, selectCandidates } from './select-candidates.ts'

/** More candidates than these are forgotten only with the token of a preview. */
const confirmAbove = 25

interface Preview {
  readonly mode: 'preview'
  readonly count: number
  readonly requiresConfirm: boolean
  readonly confirmToken: string
  readonly candidates: Candidate[]
}

export type ForgetRequest =
  | { readonly mode: 'preview'; readonly selection: Selection }
  | ({ readonly mode: 'execute' } & ForgetMany)

interface ForgetMany {
  readonly selection: Selection
  readonly reason: string
  readonly force: boolean
  readonly confirmToken: string | undefined
}

interface Execution {
  readonly mode: 'execute'
  readonly requested: number
  readonly deleted: number
  readonly results: Forgotten[]
}

interface Forgotten {
  readonly id: string
  readonly status: string
  readonly currentVersion?: number
  readonly newVersion?: number
}

export async function batchForget(
  needs: MemoryNeeds,
  caller: Caller,
  request: ForgetRequest,
): Promise<Preview | Execution> {
  if (request.mode === 'preview') return previewForget(needs, caller, request.selection)
  return executeForget(needs, caller, request)
}

/** What an execution with the same selectors would forget; nothing is written. */
async function previewForget(
  needs: MemoryNeeds,
  caller: Caller,
  selection: Selection,
): Promise<Preview> {
  const candidates = await selectCandidates(needs, caller, selection)
  const count = candidates.length
  const confirmToken = confirmTokenOf(candidates)
  return { mode: 'preview', count, requiresConfirm: count > confirmAbove, confirmToken, candidates }
}

/** Selects anew and forgets one by one, each in a transaction of its own: a refusal holds none back. */
async function executeForget(
  needs: MemoryNeeds,
  caller: Caller,
  { selection, reason, force, confirmToken }: ForgetMany,
): Promise<Execution> {
  refuseWhenFrozen(needs.config())
  const preview = await previewForget(needs, caller, selection)
  if (preview.requiresConfirm && confirmToken !== preview.confirmToken)
    throw confirmationMissing(preview)
  const results: Forgotten[] = []
  for (const { id } of preview.candidates) {
    const request = { id, reason, force, ifVersion: undefined }
    results.push(await forgetOne(() => forget(needs, caller, request), id))
  }
  const deleted = results.filter(({ status }) => status === 'deleted').length
  return { mode: 'execute', requested: results.length, deleted, results }
}

async function forgetOne(act: () => Promise<Forgotten>, id: string): Promise<Forgotten> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { currentVersion } = error.details
    const status =
      error.kind === 'forbidden' && error.code === 'out_of_scope' ? 'forbidden' : error.code
    return { id, status, ...(typeof currentVersion === 'number' && { currentVersion }) }
  }
}

/** Stateless: it changes with the set of candidates and with nothing else. */
function confirmTokenOf(candidates: readonly { readonly id: string }[]): string {
  const ids = [...new Set(candidates.map(({ id }) => id))].toSorted()
  return createHash('sha256').update(ids.join('|')).digest('hex').slice(0, 32)
}

function confirmationMissing({ count, confirmToken }: Preview): Refusal {
  const message = `${count} memories would be forgotten: send the confirm_token of a preview.`
  const details = { requiresConfirm: true, confirmToken, count }
  return new Refusal('invalid', 'confirmation_required', message, details)
}
