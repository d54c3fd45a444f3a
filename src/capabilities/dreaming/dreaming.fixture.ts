import type { Db } from '../../kernel/db/database.ts'
import { createGate } from '../../kernel/gate/gate.ts'
import type { Enqueued, NewJob } from '../../kernel/jobs/enqueue.ts'
import { createLog } from '../../kernel/log/log.ts'
import { callerFor } from '../../kernel/testing/caller-for.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { knowledgeTables } from '../knowledge/knowledge.fixture.ts'
import { type EvidenceSource, ontologyModule } from '../ontology/index.ts'
import { ontologyKit } from '../ontology/ontology.fixture.ts'
import { type DreamingConfig, dreamingSettings } from './config.ts'
import { fingerprintOf, hashValue } from './fact.ts'
import { dreamingModule } from './index.ts'
import type { DreamingNeeds } from './needs.ts'
import { chooseMentions } from './rules/choose-mentions.ts'
import { readQuote } from './rules/read-quote.ts'
import type { Fact, PlannedOperation, Statement } from './rules/statement.ts'
import type { RulesThread } from './rules-port.ts'
import { runPass } from './run-pass.ts'
import { listOperations } from './store/operations.ts'
import { findPass } from './store/passes.ts'
import { triggerPass } from './trigger.ts'

const dreamingTables = [
  ...knowledgeTables,
  ...ontologyModule.migrations,
  ...dreamingModule.migrations,
]
export const onEachEngine = testOnEachEngine(dreamingTables)

type Settings = Partial<DreamingConfig>

/** Dreaming over the real graph and memory. The rules read `<Name> lives in <Place>.` only. */
export function dreamingKit(
  db: Db,
  settings: Settings = {},
  {
    sources,
    ...more
  }: Partial<DreamingNeeds> & { readonly sources?: readonly EvidenceSource[] } = {},
) {
  const kit = ontologyKit(db, sources)
  const { host, memory, knowledge, service, emitted } = kit
  const log = createLog('silent')
  const queued: NewJob[] = []
  const state = { config: { ...dreamingSettings.schema.parse({ enabled: true }), ...settings } }
  const needs: DreamingNeeds = {
    db,
    background: db,
    host,
    log,
    events: {
      emit: ({ name }: { readonly name: string }) => void emitted.push(name),
      on: () => {},
    },
    jobs: {
      enqueue: async (_db: Db, job: NewJob): Promise<Enqueued> => {
        queued.push(job)
        return { id: `job-${queued.length}`, deduped: false }
      },
    },
    gate: createGate(host),
    exclusive: true,
    config: () => state.config,
    isFrozen: () => false,
    secretPolicy: () => 'redact',
    agents: { listIds: async () => ['ada'] },
    models: noModel,
    memory,
    transcripts: { completed: noChanges, standaloneSummaries: noChanges },
    sessions: { wasBypassed: async () => false },
    knowledge,
    ontology: service,
    owner: 'daemon-1',
    active: { current: undefined },
    rules: simpleRules,
    ...more,
  }
  /** Triggers a pass of Ada and runs its job. */
  const dream = async (request: Partial<Parameters<typeof triggerPass>[2]> = {}) => {
    const options = { mode: 'incremental', engine: undefined, dryRun: false, ...request } as const
    const { passId } = await triggerPass(needs, callerFor('ada'), options)
    await run(passId)
    const pass = await findPass(db, 'ada', passId)
    if (!pass) throw new Error('The pass is lost.')
    return { pass, operations: await listOperations(db, passId) }
  }
  const run = (passId: string) => {
    const task = { id: 'job', attempt: 1, agentId: 'ada', subject: null }
    return runPass(needs, { ...task, payload: { passId }, signal: new AbortController().signal })
  }
  /** The active values of a slot. */
  const values = async (entity: string, claimKey = 'lives_in') => {
    const names = await knowledge.ledger.listNames(db, 'ada', 100)
    const ids = names.filter(({ name }) => name === entity).map(({ id }) => id)
    const claims = await knowledge.ledger.listClaimsOf(db, 'ada', ids)
    return claims
      .filter((claim) => claim.status === 'active' && claim.claimKey === claimKey)
      .map(({ content }) => content)
  }
  return { ...kit, needs, queued, state, dream, run, values }
}

const noChanges = {
  list: async () => [],
  sum: async () => ({ chars: 0, count: 0, oldestAt: null }),
}

const noModel: DreamingNeeds['models'] = {
  run: () => Promise.reject(new Error('No model is ready.')),
  isReady: () => false,
  estimateCost: () => null,
}

const slot = { aspect: 'location', key: 'lives_in', cardinality: 'one' } as const

/** Deterministic rules for the tests of everything but the rules. */
const simpleRules: RulesThread = {
  readStatements: async ({ fragments, names }) => ({
    statements: fragments.flatMap(({ text, start, ...source }): Statement[] => {
      const match = /([A-Z]\w+ [A-Z]\w+) lives in ([A-Z]\w+)\./.exec(text)
      if (!match) return []
      const [quote, name = '', value = ''] = match
      return [
        {
          ...source,
          subject: {
            entityId: names.entities.find((entity) => entity.name === name)?.id,
            name,
            type: 'person',
          },
          slot,
          change: 'set',
          value,
          from: undefined,
          ownWord: false,
          changeWord: true,
          quote,
          start: start + match.index,
          length: quote.length,
          rule: 'en.lives',
          confidence: 0.75,
        },
      ]
    }),
    skipped: {},
  }),
  decideOperations: async ({ statements, facts, refusals }) => {
    const known = new Set(facts.map(({ fingerprint, sourceId }) => fingerprint + sourceId))
    const until = new Map(refusals.map((one) => [one.fingerprint, one.untilAfter]))
    const decided = statements.flatMap((statement) => {
      const fact = toFact(statement)
      const isRefused = statement.assertedAt <= (until.get(fact.fingerprint) ?? '')
      return isRefused || known.has(fact.fingerprint + fact.sourceId) ? [] : [{ statement, fact }]
    })
    return {
      operations: decided.map(({ statement, fact }) => toPlanned(statement, fact)),
      attention: [],
      facts: decided.map(({ fact }) => fact),
    }
  },
  findNearDuplicates: async () => [],
  readQuotes: async (quotes) => quotes.map(readQuote),
  chooseMentions: async (task) => chooseMentions(task),
  close: async () => {},
}

function toFact(statement: Statement): Fact {
  const { sourceKind, sourceId, subject, value, start, length, session, assertedAt } = statement
  const named = { subject: subject.name.toLowerCase(), slot: 'location/lives_in' }
  const fingerprint = fingerprintOf({ family: 'claim', ...named, value })
  const place = { sourceKind, sourceId, start, length, session, assertedAt }
  return {
    fingerprint,
    family: 'claim',
    ...named,
    value: hashValue(value),
    ...place,
    ownWord: false,
  }
}

function toPlanned(
  { subject, value, sourceKind, sourceId, quote, start, length, confidence, rule }: Statement,
  { fingerprint }: Fact,
): PlannedOperation {
  const payload = {
    entity: subject.name,
    entity_type: 'person',
    aspect: 'location',
    claim_key: 'lives_in',
    value,
  }
  return {
    operation: 'set_claim_value',
    payload,
    evidence: [{ sourceKind, sourceId, quote, start, length }],
    reason: 'stated',
    confidence,
    rule,
    fingerprint,
    reviewRequired: false,
  }
}
