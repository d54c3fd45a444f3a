import type { Db } from '../../kernel/db/database.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { RecallNeeds } from './needs.ts'
import type { Candidate } from './result.ts'
import {
  type Context,
  deleteOlder,
  findEpoch,
  insertEpoch,
  insertRecalled,
  type LedgerItem,
  listRecalled,
} from './store.ts'

type LedgerNeeds = Pick<RecallNeeds, 'db' | 'host' | 'log'>

const retentionDays = 30
const dayMs = 86_400_000

export interface Claimed {
  readonly shown: readonly Candidate[]
  readonly dedupe: Dedupe
}

export interface Dedupe {
  readonly enabled: boolean
  readonly contextEpoch: number
  readonly suppressed: number
  readonly repeatedReturned: number
  /** The ledger was out of reach, so nothing was held back. */
  readonly failedOpen?: true
}

export interface ClaimRequest {
  readonly context: Context
  readonly limit: number
  readonly includeRecalled: boolean
  readonly surface: Surface
}

/** Where something was told, and whether it was asked for. */
interface Surface {
  readonly surface: string
  readonly mode: 'explicit' | 'automatic'
}

export interface Shown extends Surface {
  readonly context: Context
  /** The session to which it was shown, where the context has a key of its own. */
  readonly ownerSessionKey?: string
  readonly items: readonly (LedgerItem & { readonly score: number; readonly source: string })[]
}

/** The best candidates that this session has not been told; an aid, so its faults suppress nothing. */
export async function claim(
  needs: LedgerNeeds,
  candidates: readonly Candidate[],
  request: ClaimRequest,
): Promise<Claimed> {
  try {
    return await (request.includeRecalled ? flagRepeated : suppressRepeated)(
      needs,
      candidates,
      request,
    )
  } catch (error) {
    needs.log.warn({ err: error }, 'the ledger of recalls is out of reach')
    const nothing = { contextEpoch: 0, suppressed: 0, repeatedReturned: 0 }
    const dedupe = { enabled: false, ...nothing, failedOpen: true } as const
    return { shown: candidates.slice(0, request.limit), dedupe }
  }
}

/** How many of these the session has not been told: all of them where the ledger is out of reach. */
export async function countUntold(
  needs: Pick<LedgerNeeds, 'db' | 'log'>,
  candidates: readonly Candidate[],
  context: Context,
): Promise<number> {
  const items = new Set(candidates.map((candidate) => keyOf(toItem(candidate))))
  try {
    const epoch = await findEpoch(needs.db, context)
    const told = await listTold(needs.db, { ...context, epoch }, candidates)
    return [...items].filter((item) => !told.has(item)).length
  } catch (error) {
    needs.log.warn({ err: error }, 'the ledger of recalls is out of reach')
    return items.size
  }
}

/** Others may advance the same session at once: each of them is waited out. */
const attempts = 20

/** After this nothing counts as told. Gives the new epoch, which nobody else is given. */
export async function advanceEpoch(
  { db, host }: LedgerNeeds,
  { reason, sourceRef, ...context }: Context & { reason: string; sourceRef: string | null },
): Promise<number> {
  const createdAt = host.now().toISOString()
  for (let attempt = 0; attempt < attempts; attempt++) {
    const epoch = (await findEpoch(db, context)) + 1
    if (await insertEpoch(db, { ...context, epoch, reason, sourceRef, createdAt })) return epoch
  }
  throw new Refusal('unavailable', 'database_busy', 'The session is advanced by many at once.')
}

/** What is in the ledger already stays as it is. */
export async function noteShown(
  { db, host }: LedgerNeeds,
  { context, ownerSessionKey, items, surface, mode }: Shown,
): Promise<void> {
  const contextEpoch = await findEpoch(db, context)
  const createdAt = host.now().toISOString()
  const told = items.map((item) => ({
    ...context,
    ...(ownerSessionKey !== undefined && { ownerSessionKey }),
    contextEpoch,
    ...item,
    surface,
    mode,
    createdAt,
  }))
  await insertRecalled(db, told)
}

export function sweepLedger({ db, host }: LedgerNeeds): Promise<void> {
  const before = new Date(host.now().getTime() - retentionDays * dayMs)
  return deleteOlder(db, before.toISOString())
}

async function flagRepeated(
  needs: LedgerNeeds,
  candidates: readonly Candidate[],
  { context, limit, surface }: ClaimRequest,
): Promise<Claimed> {
  const epoch = await findEpoch(needs.db, context)
  const chosen = candidates.slice(0, limit)
  const fresh = await record(needs, { ...context, ...surface, epoch }, chosen)
  const shown = chosen.map((candidate) =>
    fresh.has(keyOf(toItem(candidate)))
      ? candidate
      : { ...candidate, row: { ...candidate.row, already_recalled: true as const } },
  )
  const repeatedReturned = shown.filter(({ row }) => row.already_recalled).length
  return { shown, dedupe: { enabled: true, contextEpoch: epoch, suppressed: 0, repeatedReturned } }
}

async function suppressRepeated(
  needs: LedgerNeeds,
  candidates: readonly Candidate[],
  request: ClaimRequest,
): Promise<Claimed> {
  const { context, limit } = request
  const epoch = await findEpoch(needs.db, context)
  const told = await listTold(needs.db, { ...context, epoch }, candidates)
  const shown: Candidate[] = []
  let suppressed = 0
  let next = 0
  while (shown.length < limit && next < candidates.length) {
    const batch: Candidate[] = []
    for (; next < candidates.length && shown.length + batch.length < limit; next++) {
      const candidate = candidates[next]
      if (candidate && !told.has(keyOf(toItem(candidate)))) batch.push(candidate)
      else suppressed++
    }
    // Somebody else in this session may have been faster: what they got is replaced in turn.
    const fresh = await record(needs, { ...context, ...request.surface, epoch }, batch)
    const won = batch.filter((candidate) => fresh.has(keyOf(toItem(candidate))))
    suppressed += batch.length - won.length
    shown.push(...won)
  }
  return { shown, dedupe: { enabled: true, contextEpoch: epoch, suppressed, repeatedReturned: 0 } }
}

async function listTold(
  db: Db,
  context: Context & { readonly epoch: number },
  candidates: readonly Candidate[],
): Promise<ReadonlySet<string>> {
  const ids = candidates.map((candidate) => toItem(candidate).itemId)
  return new Set((await listRecalled(db, context, ids)).map(keyOf))
}

async function record(
  { db, host }: LedgerNeeds,
  { epoch: contextEpoch, ...told }: Context & Surface & { readonly epoch: number },
  candidates: readonly Candidate[],
): Promise<Set<string>> {
  const createdAt = host.now().toISOString()
  const rows = candidates.map((candidate) => ({
    ...{ ...told, contextEpoch, ...toItem(candidate), createdAt },
    ...{ score: candidate.row.score, source: candidate.row.source },
  }))
  return new Set((await insertRecalled(db, rows)).map(keyOf))
}

function toItem({ row, memory }: Candidate): LedgerItem {
  if (memory) return { itemKind: 'memory', itemId: memory.id }
  if (row.source === 'transcript') return { itemKind: 'transcript', itemId: row.id }
  return { itemKind: row.subject_type === 'session' ? 'summary' : 'constructed', itemId: row.id }
}

function keyOf({ itemKind, itemId }: LedgerItem): string {
  return `${itemKind} ${itemId}`
}
