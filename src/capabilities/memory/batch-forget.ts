import { hash } from 'node:crypto'
import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type {
  BatchForgetRequest,
  ForgetCandidate,
  ForgetSelection,
  PatchResult,
} from './collection-schemas.ts'
import { chooseRanking } from './expression.ts'
import { forget } from './forget.ts'
import type { MemoryNeeds } from './needs.ts'
import { assertWritable } from './refusals.ts'
import { searchText, selectFiltered } from './store/text-search.ts'

/** Deleting more candidates needs the token of a preview. */
const maxUnconfirmed = 25

type BatchPreview = Awaited<ReturnType<typeof previewForget>>
type ExecuteRequest = Extract<BatchForgetRequest, { readonly mode: 'execute' }>

export async function batchForget(needs: MemoryNeeds, caller: Caller, request: BatchForgetRequest) {
  if (request.mode === 'preview') return previewForget(needs, caller, request.selection)
  return executeForget(needs, caller, request)
}

/** Returns what an execution with the same selectors deletes. Writes nothing. */
async function previewForget(needs: MemoryNeeds, caller: Caller, selection: ForgetSelection) {
  const candidates = await selectCandidates(needs, caller, selection)
  const count = candidates.length
  const confirmToken = confirmTokenOf(candidates)
  return {
    mode: 'preview' as const,
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
) {
  assertWritable(needs.config())
  const preview = await previewForget(needs, caller, selection)
  if (preview.requiresConfirm && confirmToken !== preview.confirmToken)
    throw confirmationRequired(preview)
  const results: PatchResult[] = []
  for (const { id } of preview.candidates) {
    const request = { id, reason, force, ifVersion: undefined }
    results.push(await forgetOne(() => forget(needs, caller, request), id))
  }
  const deleted = results.filter(({ status }) => status === 'deleted').length
  return { mode: 'execute' as const, requested: results.length, deleted, results }
}

async function forgetOne(run: () => Promise<PatchResult>, id: string): Promise<PatchResult> {
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
  return hash('sha256', ids.join('|')).slice(0, 32)
}

function confirmationRequired({ count, confirmToken }: BatchPreview): Refusal {
  const message = `${count} memories match. Pass the \`confirm_token\` of a preview.`
  const details = { requiresConfirm: true, confirmToken, count }
  return new Refusal('invalid', 'confirmation_required', message, details)
}

/** Lists readable memories of a selection, up to its limit. */
async function selectCandidates(
  needs: MemoryNeeds,
  caller: Caller,
  { query, filter, limit }: ForgetSelection,
): Promise<ForgetCandidate[]> {
  const scope = await needs.agents.readScopeOf(needs.db, caller)
  if (query !== undefined) {
    const hits = await searchText(needs.db, scope, {
      expression: query,
      ranking: chooseRanking(query),
      filter,
      limit,
    })
    return hits.map(({ memory, weight }) => toCandidate(memory, toScore(weight)))
  }
  const memories = await selectFiltered(needs.db, scope, { filter, limit })
  return memories.map((memory) => toCandidate(memory, 0))
}

function toCandidate(
  { id, pinned, version }: Omit<ForgetCandidate, 'score'>,
  score: number,
): ForgetCandidate {
  return { id, score, pinned, version }
}

/** 0 for unranked hits. */
function toScore(weight: number): number {
  return weight === 0 ? 0 : Math.round(1000 / (1 + Math.abs(weight))) / 1000
}
