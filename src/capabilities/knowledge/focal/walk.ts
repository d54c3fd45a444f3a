import type { Db } from '../../../kernel/db/database.ts'
import {
  byImportance,
  type FocalClaim,
  listBestClaims,
  listReachedClaims,
} from '../store/best-claims.ts'
import { type FocalLink, type Step as LinkStep, listStrongLinks } from '../store/focal.ts'
import type { Focus } from './find-focus.ts'

export interface WalkLimits {
  readonly maxHops: number
  readonly minStrength: number
  readonly branching: number
  readonly maxPaths: number
}

/** An entity that links lead to. */
export interface Step {
  readonly weight: number
  readonly path: string
  /** The type of the link, where the question asks for it. */
  readonly requestedType: string | undefined
}

interface Walk {
  readonly read: readonly Focus[]
  readonly limits: WalkLimits
  /** Links of the entities that the question names. */
  readonly requested: readonly FocalLink[]
  /** Outgoing links of the question's entities. */
  readonly links: readonly FocalLink[]
  /** Outgoing links of the entities at their ends. */
  readonly nextLinks: readonly FocalLink[]
  /** The claims of the entities at the ends of both; undefined where these may be too many. */
  readonly reached: readonly FocalClaim[] | undefined
}

const claimsPerStep = 20
const minWeight = 0.1
const hopFactor = 0.5
const requestedWeight = 0.9

/** Reads the claims of all entities that a walk may reach, unless these are more than its limit. */
export async function listReached(
  db: Db,
  agentId: string,
  { step, limits }: { readonly step: LinkStep; readonly limits: WalkLimits },
): Promise<readonly FocalClaim[] | undefined> {
  const { branching, maxHops, maxPaths } = limits
  const count = step.entityIds.length * branching * (1 + branching)
  if (maxHops !== 2 || count > maxPaths) return undefined
  return listReachedClaims(db, agentId, { ...step, limit: claimsPerStep })
}

/** Follows outgoing links; each step halves the weight. Returns the claims at the reached entities. */
export async function walk(
  db: Db,
  agentId: string,
  { requested, limits, links: first, nextLinks, reached, read }: Walk,
): Promise<readonly { readonly claim: FocalClaim; readonly step: Step }[]> {
  const names = new Map(read.map(({ id, name }) => [id, name]))
  const steps = startSteps(requested, names)
  const { branching, minStrength } = limits
  let frontier: Frontier = new Map(read.map(({ id, name }) => [id, { weight: 1, path: name }]))
  let links = first
  for (let hop = 1; hop <= limits.maxHops && links.length > 0; hop += 1) {
    const isNew = (id: string) => !(names.has(id) || steps.has(id))
    const next = takeSteps({ links, frontier, isNew }).slice(0, limits.maxPaths - steps.size)
    for (const [id, step] of next) steps.set(id, step)
    frontier = new Map(next)
    // A weaker step leads nowhere.
    const entityIds = next.flatMap(([id, { weight }]) =>
      hop < limits.maxHops && weight * hopFactor >= minWeight ? [id] : [],
    )
    links =
      hop === 1
        ? nextLinks.filter(({ fromId }) => entityIds.includes(fromId))
        : await listStrongLinks(db, agentId, { entityIds, minStrength, branching })
  }
  const ends = new Set(reached && [...first, ...nextLinks].map(({ toId }) => toId))
  const entityIds = [...steps.keys()].filter((id) => !ends.has(id))
  const others = await listBestClaims(db, agentId, { entityIds, limit: claimsPerStep })
  const claims = [...(reached ?? []), ...others].toSorted(byImportance)
  return claims.flatMap((claim) => {
    const step = steps.get(claim.entityId)
    return step ? [{ claim, step }] : []
  })
}

/** The entities at the other end of these links. */
function startSteps(
  requested: readonly FocalLink[],
  names: ReadonlyMap<string, string>,
): Map<string, Step> {
  const others = requested.filter(({ toId }) => !names.has(toId))
  return new Map(
    others.map(({ dependencyType, fromId, toId }) => {
      const path = `${names.get(fromId)} ${dependencyType}`
      return [toId, { weight: requestedWeight, path, requestedType: dependencyType }] as const
    }),
  )
}

type Frontier = ReadonlyMap<string, Pick<Step, 'weight' | 'path'>>

interface Hop {
  readonly links: readonly FocalLink[]
  readonly frontier: Frontier
  readonly isNew: (id: string) => boolean
}

/** Each new entity once, by its strongest link. */
function takeSteps({ frontier, isNew, links }: Hop): readonly (readonly [string, Step])[] {
  const next = new Map<string, Step>()
  for (const { dependencyType, fromId, strength, toId } of links.toSorted(byStrength)) {
    const from = frontier.get(fromId)
    const weight = (from?.weight ?? 0) * hopFactor * strength
    if (next.has(toId) || !isNew(toId) || weight < minWeight) continue
    next.set(toId, { weight, path: `${from?.path} ${dependencyType}`, requestedType: undefined })
  }
  return [...next]
}

function byStrength(a: FocalLink, b: FocalLink): number {
  return b.strength - a.strength
}
