import type { Caller } from '../../kernel/auth/caller.ts'
import type {
  RepairAction,
  RepairCursor,
  RepairOutcome,
  RepairStep,
} from '../../kernel/capability/repair.ts'
import type { Db } from '../../kernel/db/database.ts'
import { changeMemory } from './change.ts'
import type { MemoryNeeds } from './needs.ts'
import { groupSimilar } from './similar-groups.ts'
import {
  countDuplicates,
  listCandidates,
  listClusters,
  listMembers,
  type Member,
} from './store/duplicates.ts'

const defaultBatchSize = 50
const defaultThreshold = 0.95
const maxCandidates = 500

/** A retained memory, and the memories that it replaces. */
interface Merge {
  readonly agentId: string
  readonly survivor: Member
  readonly duplicates: readonly Member[]
}

/** Merges memories with equal contents and, on request, with similar vectors. */
export function createDeduplication(needs: MemoryNeeds): RepairAction {
  return {
    name: 'deduplicate',
    run: async (step) => {
      const after = findSemanticPosition(step.cursor)
      return after === undefined ? mergeExact(needs, step) : mergeSimilar(needs, step, after)
    },
    describe: ({ affected, counts, dryRun }) => {
      const { clusters = 0 } = counts
      return `${dryRun ? 'Would merge' : 'Merged'} ${affected} duplicates of ${clusters} memories.`
    },
  }
}

function findSemanticPosition(cursor: RepairCursor): string | undefined {
  if (typeof cursor !== 'object' || cursor === null) return undefined
  const { after } = cursor
  return typeof after === 'string' ? after : undefined
}

async function mergeExact(needs: MemoryNeeds, step: RepairStep): Promise<RepairOutcome> {
  const { db, background = db } = needs
  const { batchSize = defaultBatchSize, semanticEnabled } = step.input
  const clusters = await listClusters(background, step.input, batchSize)
  const next = semanticEnabled ? { after: '' } : clusters.length === batchSize ? 'exact' : null
  const end = { next, ...(!semanticEnabled && { endsRun: true }) }
  const readMerges = (own: Db) =>
    Promise.all(
      clusters.map(async (cluster) => toMerge(cluster.agentId, await listMembers(own, cluster))),
    )
  return applyMerges(needs, step, { readMerges, end })
}

async function mergeSimilar(
  needs: MemoryNeeds,
  step: RepairStep,
  after: string,
): Promise<RepairOutcome> {
  const { db, background = db, vectors } = needs
  const page = { after, limit: maxCandidates }
  const candidates = vectors ? await listCandidates(background, step.input, page) : []
  const last = candidates.length === maxCandidates ? candidates.at(-1) : undefined
  const end = { next: last ? { after: last.id } : null, endsRun: true }
  const byId = await vectors?.vectorsOf(candidates.map(({ id }) => id))
  const { semanticThreshold = defaultThreshold } = step.input
  const groups = byId ? await groupSimilar(needs.host, candidates, { byId, semanticThreshold }) : []
  const merges = groups.map((group) => toMerge(group[0]?.agentId ?? '', group))
  return applyMerges(needs, step, { readMerges: async () => merges, end })
}

/** The first member is retained. A private one never replaces a global one. */
function toMerge(agentId: string, [survivor, ...rest]: readonly Member[]): Merge | undefined {
  if (!survivor) return undefined
  const duplicates = rest.filter(
    ({ visibility }) => survivor.visibility === 'global' || visibility === survivor.visibility,
  )
  return duplicates.length === 0 ? undefined : { agentId, survivor, duplicates }
}

interface Merges {
  readMerges(db: Db): Promise<readonly (Merge | undefined)[]>
  readonly end: Pick<RepairOutcome, 'next' | 'endsRun'>
}

async function applyMerges(
  needs: MemoryNeeds,
  step: RepairStep,
  { end, readMerges }: Merges,
): Promise<RepairOutcome> {
  const toOutcome = (merges: readonly Merge[]): RepairOutcome => ({
    ...end,
    affected: merges.reduce((sum, { duplicates }) => sum + duplicates.length, 0),
    counts: { clusters: merges.length },
  })
  const { db, background = db } = needs
  if (step.dryRun) return toOutcome((await readMerges(background)).filter(isPresent))
  return step.save(async (own) => {
    const merges = (await readMerges(own)).filter(isPresent)
    for (const merge of merges) await mergeMembers({ ...needs, db: own }, step, merge)
    return toOutcome(merges)
  })
}

function isPresent(merge: Merge | undefined): merge is Merge {
  return merge !== undefined
}

/** The survivor gets the tags and the highest importance; the others can be recovered for 30 days. */
async function mergeMembers(
  needs: MemoryNeeds,
  { actor }: RepairStep,
  { agentId, survivor, duplicates }: Merge,
): Promise<void> {
  const caller = toCaller(actor, agentId)
  const reason = `merged by a repair: the content of ${survivor.id}`
  for (const { id } of duplicates)
    await changeMemory(
      { ...needs, caller },
      { id, reason },
      {
        event: 'deleted',
        check: () => undefined,
        decide: (memory, now) =>
          memory.deletedAt === null && !memory.pinned
            ? { set: { deletedAt: now }, metadata: { duplicateOf: survivor.id } }
            : undefined,
      },
    )
  const importance = Math.max(
    survivor.importance,
    ...duplicates.map((duplicate) => duplicate.importance),
  )
  const tags = [...new Set([survivor, ...duplicates].flatMap((member) => member.tags))]
  if (importance === survivor.importance && tags.length === survivor.tags.length) return
  await changeMemory(
    { ...needs, caller },
    { id: survivor.id, reason: 'merged by a repair' },
    {
      event: 'updated',
      check: () => undefined,
      decide: (memory) =>
        memory.deletedAt === null
          ? { set: { importance, tags }, metadata: { merged: duplicates.map(({ id }) => id) } }
          : undefined,
    },
  )
}

function toCaller({ name, type, requestId }: RepairStep['actor'], agentId: string): Caller {
  return {
    name,
    role: 'admin',
    actorType: type,
    agentId,
    scope: {},
    sessionKey: null,
    sessionId: null,
    requestId,
  }
}

const maxListed = 100

export async function readDuplicates({ db, background = db }: MemoryNeeds) {
  const {
    exactClusters,
    exactDuplicates: exactExcess,
    totalActive,
  } = await countDuplicates(background)
  const clusters = await listClusters(background, {}, maxListed)
  const duplicates = await Promise.all(
    clusters.map(async (cluster) => {
      const members = await listMembers(background, cluster)
      const { contentHash } = cluster
      return { contentHash, count: members.length, memoryIds: members.map(({ id }) => id) }
    }),
  )
  return { exactClusters, exactExcess, totalActive, duplicates }
}
