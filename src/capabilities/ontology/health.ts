import { type DomainCheck, toFindings } from '../../kernel/capability/domain.ts'
import { toCount } from '../../kernel/errors/to-count.ts'
import { type Health, type HealthCheck, toHealth } from '../../kernel/health/health.ts'
import { createMeasurement, type Measurement } from '../../kernel/host/measurement.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import { knowledgeChanged } from './events.ts'
import type { OntologyOptions } from './needs.ts'
import { countAllPending } from './store/proposals.ts'

/** Counting scans the graph. */
const measureEveryMs = 600_000

/** The first count of a large graph takes seconds, and the readiness of a start waits for each check. */
const firstCountMs = 50
const counting: Health = {
  status: 'unknown',
  reasons: ['the graph is being counted for the first time'],
  details: {},
}

/** A running measurement may have started before the change, the next one has not. */
const maxRefreshes = 2

/** Counts the graphs of all agents and their pending proposals, by a timer and when an empty graph changes. */
export function createKnowledgeHealth(
  needs: Pick<OntologyOptions, 'background' | 'db' | 'events' | 'host' | 'knowledge'>,
) {
  const measurement = createMeasurement(needs.host, () => count(needs))
  const { read, refresh } = measurement
  const isEmpty = async () => (await read()).value.details?.['entities'] === 0
  needs.events.on(knowledgeChanged, async () => {
    for (let times = 0; times < maxRefreshes && (await isEmpty()); times++) await refresh()
  })
  const health: HealthCheck = {
    name: 'knowledge',
    check: async () => (await withTimeout(needs.host, firstCountMs, read()))?.value ?? counting,
  }
  const schedule = { name: 'ontology.measure', everyMs: measureEveryMs, run: refresh }
  return { health, measurement, schedule }
}

async function count({
  db,
  background = db,
  knowledge,
}: Pick<OntologyOptions, 'background' | 'db' | 'knowledge'>) {
  const totals = await knowledge.countTotals(background)
  const orphanedLinks = await knowledge.countOrphanedLinks(background)
  const pendingProposals = await countAllPending(background)
  const { claimsWithoutCitation: uncited } = totals
  const reasons = [
    uncited > 0 &&
      `${toCount(uncited, 'claim')} without citation: run \`reverie ontology hygiene\``,
    orphanedLinks > 0 &&
      `${toCount(orphanedLinks, 'link')} to missing memories: run \`reverie repair retention-sweep\``,
  ]
  return toHealth(reasons, { ...totals, orphanedLinks, pendingProposals })
}

/** Fewer memories may name nothing. */
const minMemories = 10

type DomainNeeds = Pick<OntologyOptions, 'background' | 'db' | 'isFilled' | 'memory'>

/** The domain of the graph. No capability measures communities. */
export function graphDomain(
  needs: DomainNeeds,
  { read }: Pick<Measurement<Health>, 'read'>,
): DomainCheck {
  const { db, background = db } = needs
  return {
    domain: 'graph',
    weight: 0.05,
    check: async () => {
      const { details } = (await read()).value
      const figures = details as Readonly<Record<string, number>>
      const { entities = 0, links = 0, pendingProposals = 0, orphanedLinks = 0 } = figures
      const isFilled = needs.isFilled()
      const { live } =
        isFilled && entities === 0 ? await needs.memory.countMemories(background) : { live: 0 }
      return {
        fields: {
          extractionWritesEnabled: isFilled,
          entityCount: entities,
          edgeCount: links,
          pendingProposals,
          orphanedLinks,
          communityCount: 0,
          modularity: null,
          quality: 'unknown',
        },
        findings: listFindings({
          memories: live,
          orphanedLinks,
          uncited: figures['claimsWithoutCitation'] ?? 0,
        }),
      }
    },
  }
}

interface GraphFigures {
  readonly memories: number
  readonly orphanedLinks: number
  readonly uncited: number
}

function listFindings({ memories, orphanedLinks, uncited }: GraphFigures) {
  return toFindings([
    memories >= minMemories && {
      code: 'no_entities',
      penalty: 0.4,
      detail: `the graph is empty, and ${memories} memories are stored`,
      fix: { command: 'reverie dream run', route: 'POST /api/dream/trigger' },
    },
    orphanedLinks > 0 && {
      code: 'orphaned_links',
      penalty: 0.3,
      detail: `${toCount(orphanedLinks, 'link')} to missing memories`,
      fix: { command: 'reverie repair retention-sweep', route: 'POST /api/repair/retention-sweep' },
    },
    uncited > 0 && {
      code: 'claims_without_citation',
      penalty: 0.3,
      detail: `${toCount(uncited, 'claim')} without citation`,
      fix: { command: 'reverie ontology hygiene', route: 'GET /api/knowledge/hygiene' },
    },
  ])
}
