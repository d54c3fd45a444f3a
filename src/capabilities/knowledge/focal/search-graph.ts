import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { toPhrase } from '../name.ts'
import { listBestClaims, listCitedMemories, listStrongLinks } from '../store/focal.ts'
import { dampenHubs } from './dampen-hubs.ts'
import { type Focus, findFocus } from './find-focus.ts'
import { listNameCandidates, toStem } from './names-in-text.ts'
import { coverageOf, type ScoredClaim, scoreClaim } from './score.ts'

interface Hit {
  readonly id: string
  readonly score: number
  readonly source: 'structured' | 'traversal'
  readonly reason: string
}

export interface WalkLimits {
  readonly maxHops: number
  readonly minStrength: number
  readonly branching: number
  readonly maxPaths: number
}

const maxRead = 8
const claimsPerEntity = 192
const claimsPerStep = 20
const maxScored = 100
const minTraversal = 0.1

/** The memories that support what the graph says about the entities of a question. */
export async function searchGraph(
  db: Db,
  { agentId, project }: Pick<ReadScope, 'agentId' | 'project'>,
  { text, limits }: { readonly text: string; readonly limits: WalkLimits },
): Promise<readonly Hit[]> {
  // A graph is of all projects.
  if (project !== null) return []
  const { phrases, words, stems } = listNameCandidates(text)
  const focal = await findFocus(db, agentId, { phrases, words })
  if (focal.length === 0) return []
  const read = focal.slice(0, maxRead)
  const rest = otherStems(stems, read)
  const entityIds = read.map(({ id }) => id)
  const claims = await listBestClaims(db, agentId, { entityIds, limit: claimsPerEntity })
  const names = new Map(read.map(({ id, name }) => [id, name]))
  const structured = claims
    .map((claim) => toScored(claim, scoreClaim(claim, rest), names))
    .filter(({ score }) => score > 0)
  const walked = await walk(db, agentId, { read, stems: rest, limits })
  return dampenHubs(db, agentId, await toHits(db, agentId, [...structured, ...walked]))
}

/** The words of the question that name none of the entities. */
function otherStems(stems: readonly string[], focal: readonly Focus[]): readonly string[] {
  const names = focal.flatMap(({ matches, name }) => [toPhrase(name), ...matches])
  const named = new Set(names.flatMap((phrase) => phrase.split(' ').map(toStem)))
  return stems.filter((stem) => !named.has(stem))
}

interface Scored {
  readonly claim: ScoredClaim
  readonly score: number
  readonly source: Hit['source']
  readonly reason: string
}

function toScored(claim: ScoredClaim, score: number, names: ReadonlyMap<string, string>): Scored {
  const path = [names.get(claim.entityId), claim.aspectName, claim.groupKey, claim.claimKey]
  return { claim, score, source: 'structured', reason: path.join(' / ') }
}

interface Walk {
  readonly read: readonly Focus[]
  readonly stems: readonly string[]
  readonly limits: WalkLimits
}

/** Follows outgoing links; each step halves the weight. */
async function walk(db: Db, agentId: string, { read, stems, limits }: Walk): Promise<Scored[]> {
  const seen = new Set(read.map(({ id }) => id))
  let frontier = new Map(read.map(({ id, name }) => [id, { weight: 1, path: name }]))
  let paths = 0
  const found: Scored[] = []
  for (let hop = 1; hop <= limits.maxHops && frontier.size > 0; hop += 1) {
    const links = await listStrongLinks(db, agentId, {
      entityIds: [...frontier.keys()],
      minStrength: limits.minStrength,
      branching: limits.branching,
    })
    const next = new Map<string, { weight: number; path: string }>()
    for (const link of links.toSorted((a, b) => b.strength - a.strength)) {
      const from = frontier.get(link.sourceEntityId)
      const weight = (from?.weight ?? 0) * 0.5 * link.strength
      const isNew = !seen.has(link.targetEntityId) && paths < limits.maxPaths
      if (!isNew || weight < minTraversal) continue
      paths += 1
      seen.add(link.targetEntityId)
      next.set(link.targetEntityId, { weight, path: `${from?.path} ${link.dependencyType}` })
    }
    const page = { entityIds: [...next.keys()], limit: claimsPerStep }
    for (const claim of await listBestClaims(db, agentId, page))
      found.push(...toTraversal(claim, stems, next))
    frontier = next
  }
  return found
}

function toTraversal(
  claim: ScoredClaim,
  stems: readonly string[],
  steps: ReadonlyMap<string, { readonly weight: number; readonly path: string }>,
): Scored[] {
  const step = steps.get(claim.entityId)
  if (!step) return []
  const isCovered = coverageOf(claim, stems) > 0
  const own = isCovered ? scoreClaim(claim, stems) : 0.3 * claim.importance
  const score = step.weight * own
  const reason = `${step.path}: ${claim.aspectName} / ${claim.claimKey}`
  return score > 0 ? [{ claim, score, source: 'traversal', reason }] : []
}

/** The cited memories, or the derived memory of a claim that cites none. */
async function toHits(db: Db, agentId: string, scored: readonly Scored[]): Promise<Hit[]> {
  const best = scored.toSorted((a, b) => b.score - a.score).slice(0, maxScored)
  const ids = best.map(({ claim }) => claim.id)
  const cited = await listCitedMemories(db, agentId, ids)
  return best.flatMap(({ claim, score, source, reason }) => {
    const own = claim.memoryId === null ? [] : [claim.memoryId]
    return (cited.get(claim.id) ?? own).map((id) => ({ id, score, source, reason }))
  })
}
