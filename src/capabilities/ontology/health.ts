import type { DomainCheck } from '../../kernel/capability/domain.ts'
import { type Health, type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import type { OntologyOptions } from './needs.ts'
import { countAllPending } from './store/proposals.ts'

/** Counting scans the graph, and probes may ask every second. */
const maxAgeMs = 60_000

/** Counts the graphs of all agents and their pending proposals, at most once a minute. */
export function knowledgeHealth(
  needs: Pick<OntologyOptions, 'db' | 'host' | 'knowledge'>,
): HealthCheck {
  let cached: { readonly health: Promise<Health>; readonly countedAt: number } | undefined
  return {
    name: 'knowledge',
    check: () => {
      const now = needs.host.now().getTime()
      if (cached && now - cached.countedAt < maxAgeMs) return cached.health
      const health = count(needs)
      cached = { health, countedAt: now }
      // A failed count is not cached.
      health.catch(() => {
        cached = undefined
      })
      return health
    },
  }
}

async function count({ db, knowledge }: Pick<OntologyOptions, 'db' | 'knowledge'>) {
  const totals = await knowledge.countTotals(db)
  const pendingProposals = await countAllPending(db)
  const { claimsWithoutCitation: uncited } = totals
  const reasons = [
    uncited > 0 && `${uncited} claims have no citation: run \`reverie ontology hygiene\``,
  ]
  return toHealth(reasons, { ...totals, pendingProposals })
}

/** The domain of the graph. No capability measures communities. */
export function graphDomain({ check }: HealthCheck): DomainCheck {
  return {
    domain: 'graph',
    weight: 0.05,
    check: async () => {
      const { details } = await check()
      const { entities = 0, links = 0, pendingProposals = 0 } = details
      return {
        fields: {
          extractionWritesEnabled: null,
          entityCount: entities,
          edgeCount: links,
          pendingProposals,
          communityCount: 0,
          modularity: null,
          quality: 'unknown',
        },
        findings: [],
      }
    },
  }
}
