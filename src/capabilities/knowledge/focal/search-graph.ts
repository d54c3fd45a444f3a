import type { Db } from '../../../kernel/db/database.ts'
import type { GraphAnswer } from '../../recall/index.ts'
import { listLinkStems } from '../link.ts'
import { toPhrase, toStem } from '../name.ts'
import { type FocalClaim, listBestClaims } from '../store/best-claims.ts'
import { findDegrees } from '../store/degrees.ts'
import {
  listCitedMemories,
  listIncomingLinks,
  listNextLinks,
  listStrongLinks,
} from '../store/focal.ts'
import { dampenHubs } from './dampen-hubs.ts'
import { describeFocal } from './describe-focal.ts'
import { type Focus, findFocus } from './find-focus.ts'
import type { NameCandidates } from './names-in-text.ts'
import { maxRequested, type Reading, readByLink, readByName } from './readings.ts'
import { coverageOf, scoreClaim } from './score.ts'
import { listReached, type Step, type WalkLimits, walk } from './walk.ts'

type Hit = GraphAnswer['hits'][number]

const maxRead = 8
const claimsPerEntity = 192
const maxScored = 100
/** Weaker evidence changes no answer. */
const minScore = 0.1
const importanceShare = 0.3
const linkStems = listLinkStems(toStem)
export const noAnswer: GraphAnswer = { hits: [], entities: [], readings: [] }

export interface GraphSearch {
  readonly agentId: string
  readonly text: string
  /** Those of the text. */
  readonly names: NameCandidates
  readonly limits: WalkLimits
}

/** The memories that support claims and links of the entities of a question. */
export async function searchGraph(
  db: Db,
  { agentId, text, names: { phrases, words, stems }, limits }: GraphSearch,
): Promise<GraphAnswer> {
  const focal = await findFocus(db, agentId, { phrases, words })
  if (focal.length === 0) return noAnswer
  const read = focal.slice(0, maxRead)
  const rest = otherStems(stems, read)
  const types = listRequestedTypes(rest)
  const entityIds = read.map(({ id }) => id)
  const namedIds = read.flatMap(({ id, isExact }) => (isExact ? [id] : []))
  const { branching, minStrength } = limits
  const step = { entityIds, minStrength, branching }
  const [claims, links, nextLinks, reached, incoming, degrees] = await Promise.all([
    listBestClaims(db, agentId, { entityIds, limit: claimsPerEntity }),
    limits.maxHops > 0 ? listStrongLinks(db, agentId, step) : [],
    limits.maxHops > 1 ? listNextLinks(db, agentId, step) : [],
    listReached(db, agentId, { step, limits }),
    listIncomingLinks(db, agentId, { entityIds: namedIds, types, limit: maxRequested + 1 }),
    findDegrees(db, agentId),
  ])
  // Without other words, the question is about the link itself.
  const requested = selectRequested({ links, incoming, types, namedIds }).filter(
    ({ dependencyType }) => withoutLink(rest, dependencyType).length > 0,
  )
  const byName = readByName(text, focal)
  const byLink = readByLink({ text: byName?.text ?? text, focal: read, links: requested })
  const traversal = await walk(db, agentId, {
    read,
    limits,
    links,
    nextLinks,
    reached,
    requested,
  })
  const names = new Map(read.map(({ id, name }) => [id, name]))
  const scored = [
    ...claims.map((claim) => toStructured(claim, { stems: rest, names })),
    ...traversal.map(({ claim, step }) => toLinked(claim, { step, stems: rest, byLink })),
  ].filter(({ score }) => score >= minScore)
  const hits = await toHits(db, agentId, scored)
  return {
    hits: degrees ? await dampenHubs(db, agentId, { hits, degrees }) : hits,
    entities: describeFocal(focal, claims),
    readings: [...(byName ? [byName] : []), ...byLink.values()],
  }
}

/** The words of the question that name none of the entities. */
function otherStems(stems: readonly string[], focal: readonly Focus[]): readonly string[] {
  const names = focal.flatMap(({ matches, name }) => [toPhrase(name), ...matches])
  const named = new Set(names.flatMap((phrase) => phrase.split(' ').map(toStem)))
  return stems.filter((stem) => !named.has(stem))
}

function listRequestedTypes(stems: readonly string[]): readonly string[] {
  return [...linkStems].flatMap(([type, own]) =>
    stems.some((stem) => own.has(stem)) ? [type] : [],
  )
}

/** The words without those that name the type of the link. */
function withoutLink(stems: readonly string[], type: string | undefined): readonly string[] {
  return type === undefined ? stems : stems.filter((stem) => !linkStems.get(type)?.has(stem))
}

type Links = Awaited<ReturnType<typeof listStrongLinks>>

interface Requested {
  readonly links: Links
  readonly incoming: Links
  readonly types: readonly string[]
  readonly namedIds: readonly string[]
}

/** Links whose type the question names, the strongest first. */
function selectRequested({ incoming, links, namedIds, types }: Requested): Links {
  const outgoing = links.filter(
    ({ dependencyType, fromId }) => types.includes(dependencyType) && namedIds.includes(fromId),
  )
  const requested = [...outgoing, ...(incoming.length > maxRequested ? [] : incoming)]
  return requested.toSorted((a, b) => b.strength - a.strength)
}

interface Scored {
  readonly claim: FocalClaim
  readonly score: number
  readonly source: Hit['source']
  readonly reason: string
  readonly reading?: string | undefined
}

interface Structured {
  readonly stems: readonly string[]
  readonly names: ReadonlyMap<string, string>
}

function toStructured(claim: FocalClaim, { stems, names }: Structured): Scored {
  const path = [names.get(claim.entityId), claim.aspectName, claim.groupKey, claim.claimKey]
  const score = scoreClaim(claim, coverageOf(claim, stems))
  return { claim, score, source: 'structured', reason: path.join(' / ') }
}

interface Linked {
  readonly step: Step
  readonly stems: readonly string[]
  readonly byLink: ReadonlyMap<string, Reading>
}

/** The end of a link that the question asks for counts like an entity that it names. */
function toLinked(claim: FocalClaim, { byLink, stems: all, step }: Linked): Scored {
  const stems = withoutLink(all, step.requestedType)
  const coverage = coverageOf(claim, stems)
  const isCovered = coverage > 0
  const own = isCovered ? scoreClaim(claim, coverage) : importanceShare * claim.importance
  const reason = `${step.path}: ${claim.aspectName} / ${claim.claimKey}`
  const source = step.requestedType !== undefined && isCovered ? 'structured' : 'traversal'
  const reading = byLink.get(claim.entityId)?.text
  return { claim, score: step.weight * own, source, reason, reading }
}

/** The cited memories, or the derived memory of a claim that cites none. */
async function toHits(db: Db, agentId: string, scored: readonly Scored[]): Promise<Hit[]> {
  const best = scored.toSorted((a, b) => b.score - a.score).slice(0, maxScored)
  const ids = best.map(({ claim }) => claim.id)
  const cited = await listCitedMemories(db, agentId, ids)
  return best.flatMap(({ claim, ...hit }) => {
    const own = claim.memoryId === null ? [] : [claim.memoryId]
    return (cited.get(claim.id) ?? own).map((id) => ({ id, ...hit }))
  })
}
