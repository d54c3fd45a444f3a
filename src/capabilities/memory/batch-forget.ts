import { createHash } from 'node:crypto'
import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { forget } from './forget.ts'
import { assertWritable } from './freeze.ts'
import type { MemoryNeeds } from './needs.ts'
import {
  type ForgetCandidate,
  type ForgetSelection,
  selectCandidates,
} from './select-candidates.ts'

/** Deleting more candidates needs the token of a preview. */
const maxUnconfirmed = 25

interface ForgetPreview {
  readonly mode: 'preview'
  readonly count: number
  readonly requiresConfirm: boolean
  readonly confirmToken: string
  readonly candidates: ForgetCandidate[]
}

export type BatchForgetRequest =
  | { readonly mode: 'preview'; readonly selection: ForgetSelection }
  | ({ readonly mode: 'execute' } & ExecuteRequest)

interface ExecuteRequest {
  readonly selection: ForgetSelection
  readonly reason: string
  readonly force: boolean
  readonly confirmToken: string | undefined
}

interface ForgetExecution {
  readonly mode: 'execute'
  readonly requested: number
  readonly deleted: number
  readonly results: ForgetResult[]
}

interface ForgetResult {
  readonly id: string
  readonly status: string
  readonly currentVersion?: number
  readonly newVersion?: number
}

export async function batchForget(
  needs: MemoryNeeds,
  caller: Caller,
  request: BatchForgetRequest,
): Promise<ForgetPreview | ForgetExecution> {
  if (request.mode === 'preview') return previewForget(needs, caller, request.selection)
  return executeForget(needs, caller, request)
}

/** Returns what an execution with the same selectors deletes. Writes nothing. */
async function previewForget(
  needs: MemoryNeeds,
  caller: Caller,
  selection: ForgetSelection,
): Promise<ForgetPreview> {
  const candidates = await selectCandidates(needs, caller, selection)
  const count = candidates.length
  const confirmToken = confirmTokenOf(candidates)
  return {
    mode: 'preview',
    count,
    requiresConfirm: count > maxUnconfirmed,
    confirmToken,
    candidates,
  }
}

/** Selects again and deletes each memory in its own transaction. A refusal does not stop the others. */
async function executeForget(
  needs: MemoryNeeds,
  caller: Caller,
  { selection, reason, force, confirmToken }: ExecuteRequest,
): Promise<ForgetExecution> {
  assertWritable(needs.config())
  const preview = await previewForget(needs, caller, selection)
  if (preview.requiresConfirm && confirmToken !== preview.confirmToken)
    throw confirmationRequired(preview)
  const results: ForgetResult[] = []
  for (const { id } of preview.candidates) {
    const request = { id, reason, force, ifVersion: undefined }
    results.push(await forgetOne(() => forget(needs, caller, request), id))
  }
  const deleted = results.filter(({ status }) => status === 'deleted').length
  return { mode: 'execute', requested: results.length, deleted, results }
}

async function forgetOne(run: () => Promise<ForgetResult>, id: string): Promise<ForgetResult> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { currentVersion } = error.details
    const status =
      error.kind === 'forbidden' && error.code === 'out_of_scope' ? 'forbidden' : error.code
    return { id, status, ...(typeof currentVersion === 'number' && { currentVersion }) }
  }
}

/** Stateless: depends only on the set of candidate ids. */
function confirmTokenOf(candidates: readonly { readonly id: string }[]): string {
  const ids = [...new Set(candidates.map(({ id }) => id))].toSorted()
  return createHash('sha256').update(ids.join('|')).digest('hex').slice(0, 32)
}

function confirmationRequired({ count, confirmToken }: ForgetPreview): Refusal {
  const message = `${count} memories match. Pass the \`confirm_token\` of a preview.`
  const details = { requiresConfirm: true, confirmToken, count }
  return new Refusal('invalid', 'confirmation_required', message, details)
}
