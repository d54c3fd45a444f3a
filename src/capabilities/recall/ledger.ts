import type { Caller } from '../../kernel/auth/caller.ts'
import type { Db } from '../../kernel/db/database.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { RankedAnswer } from './hybrid-search.ts'
import type { RecallNeeds } from './needs.ts'
import type { Dedupe } from './replies.ts'
import type { Candidate } from './result.ts'
import { type RecallRequest, sessionKeyOf } from './schemas.ts'
import {
  deleteOlder,
  findEpoch,
  insertEpoch,
  insertLedgerItems,
  type LedgerItem,
  listLedgerItems,
  type SessionContext,
} from './store.ts'

type LedgerNeeds = Pick<RecallNeeds, 'db' | 'host' | 'log'>

const retentionDays = 30
const dayMs = 86_400_000

interface DedupedResults {
  readonly shown: readonly Candidate[]
  readonly dedupe: Dedupe
}

interface DedupeRequest {
  readonly context: SessionContext
  readonly limit: number
  readonly includeRecalled: boolean
  readonly surface: Surface
}

/** The operation that showed the items, and whether the caller requested them. */
interface Surface {
  readonly surface: string
  readonly mode: 'explicit' | 'automatic'
}

export interface ShownItems extends Surface {
  readonly context: SessionContext
  /** The session, when `context` uses a separate ledger key. */
  readonly ownerSessionKey?: string
  readonly items: readonly (LedgerItem & { readonly score: number; readonly source: string })[]
}

/** Returns the best candidates that are new to the session; a ledger failure suppresses nothing. */
export async function dedupeForSession(
  needs: LedgerNeeds,
  candidates: readonly Candidate[],
  request: DedupeRequest,
): Promise<DedupedResults> {
  try {
    const dedupe = request.includeRecalled ? flagRepeated : suppressRepeated
    return await dedupe(needs, candidates, request)
  } catch (error) {
    needs.log.warn({ err: error }, 'recall ledger unavailable')
    const nothing = { contextEpoch: 0, suppressed: 0, repeatedReturned: 0 }
    const dedupe = { enabled: false, ...nothing, failedOpen: true } as const
    return { shown: candidates.slice(0, request.limit), dedupe }
  }
}

/** Counts candidates that are new to the session: all of them if the ledger is unavailable. */
async function countUnseen(
  needs: Pick<LedgerNeeds, 'db' | 'log'>,
  candidates: readonly Candidate[],
  context: SessionContext,
): Promise<number> {
  const items = new Set(candidates.map((candidate) => itemKey(toItem(candidate))))
  try {
    const epoch = await findEpoch(needs.db, context)
    const seen = await listSeen(needs.db, { ...context, epoch }, candidates)
    return [...items].filter((item) => !seen.has(item)).length
  } catch (error) {
    needs.log.warn({ err: error }, 'recall ledger unavailable')
    return items.size
  }
}

/** Concurrent callers may advance the same session; each conflict costs one attempt. */
const maxAttempts = 20

/** Starts a new epoch, in which no item counts as seen. Each caller receives a distinct epoch. */
export async function advanceEpoch(
  { db, host }: LedgerNeeds,
  { reason, sourceRef, ...context }: SessionContext & { reason: string; sourceRef: string | null },
): Promise<number> {
  const createdAt = host.now().toISOString()
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const epoch = (await findEpoch(db, context)) + 1
    if (await insertEpoch(db, { ...context, epoch, reason, sourceRef, createdAt })) return epoch
  }
  throw new Refusal('unavailable', 'database_busy', 'Concurrent update of this session; retry.')
}

/** Records shown items; existing rows stay unchanged. */
export async function recordShown(
  { db, host }: LedgerNeeds,
  { context, ownerSessionKey, items, surface, mode }: ShownItems,
): Promise<void> {
  const contextEpoch = await findEpoch(db, context)
  const createdAt = host.now().toISOString()
  const rows = items.map((item) => ({
    ...context,
    ...(ownerSessionKey !== undefined && { ownerSessionKey }),
    contextEpoch,
    ...item,
    surface,
    mode,
    createdAt,
  }))
  await insertLedgerItems(db, rows)
}

export function sweepLedger({ db, host }: LedgerNeeds): Promise<void> {
  const before = new Date(host.now().getTime() - retentionDays * dayMs)
  return deleteOlder(db, before.toISOString())
}

async function flagRepeated(
  needs: LedgerNeeds,
  candidates: readonly Candidate[],
  { context, limit, surface }: DedupeRequest,
): Promise<DedupedResults> {
  const epoch = await findEpoch(needs.db, context)
  const selected = candidates.slice(0, limit)
  const fresh = await recordCandidates(needs, { ...context, ...surface, epoch }, selected)
  const shown = selected.map((candidate) =>
    fresh.has(itemKey(toItem(candidate)))
      ? candidate
      : { ...candidate, row: { ...candidate.row, already_recalled: true as const } },
  )
  const repeatedReturned = shown.filter(({ row }) => row.already_recalled).length
  return { shown, dedupe: { enabled: true, contextEpoch: epoch, suppressed: 0, repeatedReturned } }
}

async function suppressRepeated(
  needs: LedgerNeeds,
  candidates: readonly Candidate[],
  request: DedupeRequest,
): Promise<DedupedResults> {
  const { context, limit } = request
  const epoch = await findEpoch(needs.db, context)
  const seen = await listSeen(needs.db, { ...context, epoch }, candidates)
  const shown: Candidate[] = []
  let suppressed = 0
  let next = 0
  while (shown.length < limit && next < candidates.length) {
    const batch: Candidate[] = []
    for (; next < candidates.length && shown.length + batch.length < limit; next++) {
      const candidate = candidates[next]
      if (candidate && !seen.has(itemKey(toItem(candidate)))) batch.push(candidate)
      else suppressed++
    }
    // A concurrent recall may record some items first; the next candidates replace them.
    const fresh = await recordCandidates(needs, { ...context, ...request.surface, epoch }, batch)
    const recorded = batch.filter((candidate) => fresh.has(itemKey(toItem(candidate))))
    suppressed += batch.length - recorded.length
    shown.push(...recorded)
  }
  return { shown, dedupe: { enabled: true, contextEpoch: epoch, suppressed, repeatedReturned: 0 } }
}

async function listSeen(
  db: Db,
  context: SessionContext & { readonly epoch: number },
  candidates: readonly Candidate[],
): Promise<ReadonlySet<string>> {
  const ids = candidates.map((candidate) => toItem(candidate).itemId)
  return new Set((await listLedgerItems(db, context, ids)).map(itemKey))
}

async function recordCandidates(
  { db, host }: LedgerNeeds,
  { epoch: contextEpoch, ...event }: SessionContext & Surface & { readonly epoch: number },
  candidates: readonly Candidate[],
): Promise<Set<string>> {
  const createdAt = host.now().toISOString()
  const rows = candidates.map((candidate) => ({
    ...event,
    contextEpoch,
    ...toItem(candidate),
    createdAt,
    score: candidate.row.score,
    source: candidate.row.source,
  }))
  return new Set((await insertLedgerItems(db, rows)).map(itemKey))
}

function toItem({ row, memory }: Candidate): LedgerItem {
  if (memory) return { itemKind: 'memory', itemId: memory.id }
  if (row.source === 'transcript') return { itemKind: 'transcript', itemId: row.id }
  if (row.trust) return { itemKind: 'source_chunk', itemId: row.id }
  return { itemKind: row.subject_type === 'session' ? 'summary' : 'constructed', itemId: row.id }
}

function itemKey({ itemKind, itemId }: LedgerItem): string {
  return `${itemKind} ${itemId}`
}

/** Upper bound of candidates of one engine search. */
export const maxCandidates = 300

interface PagedSearch<Answer> {
  readonly request: RecallRequest
  /** Maximum number of results. */
  readonly limit: number
  /** Number of candidates of the first search. */
  readonly initialLimit: number
  readonly search: (candidates: number) => Promise<Answer>
}

/** Doubles the number of candidates until enough of them are new to the session. */
export async function searchUntilFilled<Answer extends RankedAnswer>(
  needs: Pick<RecallNeeds, 'db' | 'log'>,
  caller: Caller,
  { request, limit, initialLimit, search }: PagedSearch<Answer>,
): Promise<Answer> {
  const sessionKey = sessionKeyOf(caller, request)
  const context = { sessionKey: sessionKey ?? '', agentId: caller.agentId }
  const { minScore = 0 } = request
  let searchLimit = initialLimit
  for (;;) {
    const result = await search(searchLimit)
    if (!sessionKey || request.includeRecalled || searchLimit >= maxCandidates) return result
    const { candidates, mayHaveMore } = result
    if (!mayHaveMore || candidates.some(({ row }) => row.score < minScore)) return result
    if ((await countUnseen(needs, candidates, context)) >= limit) return result
    searchLimit = Math.min(maxCandidates, 2 * searchLimit)
  }
}
