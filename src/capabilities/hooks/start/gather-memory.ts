import type { ReadScope } from '../../../kernel/auth/read-scope.ts'
import type { Hook, SessionStart } from '../hook.ts'
import type { HooksNeeds } from '../needs.ts'
import { toMemoryLine } from '../render.ts'
import { memoriesHeading } from './assemble.ts'
import {
  type Budget,
  chooseConstraints,
  chooseMemories,
  isConstraint,
  isOfProject,
} from './choose-memories.ts'
import { listSample, maxQueryLength, predictMemories, toProjectQuery } from './predict-memories.ts'
import type { Profile } from './profile.ts'
import { type Checkpoints, findUnfinished, renderRecovery, toQueries } from './recovery.ts'
import { type ScoredMemory, scoreMemories } from './select-memories.ts'
import { ShownFacts } from './shown-facts.ts'
import { rateTopics } from './topics.ts'
import { renderWork, reserveForWork, type WorkingMemory } from './working-memory.ts'

/** After a compaction the session has its summary, so it needs less. */
const maxCompactLength = 1900
const maxCompactRecovery = 500
const maxRuleLength = 300
/** The weight of a recent memory that is about no topic of the project. */
const minTopic = 0.3
/** Summaries whose words predict memories. */
const maxQuerySummaries = 2

interface MemoryRequest {
  readonly scope: ReadScope
  readonly working: WorkingMemory
  readonly checkpoints: Checkpoints
  readonly includes: Profile['includes']
  readonly isCompacted: boolean
  /** Characters of the parts that do not come from memory. */
  readonly otherLength: number
}

/** The parts of the start context that come from memory. A fact is in one of them only. */
export async function gatherMemory(
  needs: HooksNeeds,
  { hook, source }: SessionStart,
  request: MemoryRequest,
) {
  const { checkpoints, includes, isCompacted } = request
  const working = isCompacted ? { ...request.working, work: [] } : request.working
  const isCleared = source === 'clear'
  const [digest, pool] = await Promise.all([
    isCleared || !includes('recovery') ? '' : findUnfinished(needs, checkpoints),
    readPool(needs, hook, {
      ...request,
      queries: isCleared ? [] : toPredictionQueries(hook.project, working, checkpoints),
    }),
  ])
  const layout = distribute(pool, { digest, working, limits: toLimits(needs, request) })
  const shownIds = new Set(layout.rows.map(({ memory: { id } }) => id))
  const all = new Map([...pool.candidates, ...pool.predicted].map((row) => [row.memory.id, row]))
  for (const row of pool.candidates) all.set(row.memory.id, row)
  const rows = [...all.values()]
  return {
    injected: rows.filter(({ memory }) => shownIds.has(memory.id)),
    /** Candidates that are not injected. */
    rest: pool.candidates.filter(({ memory }) => !shownIds.has(memory.id)),
    constraints: layout.constraints,
    lines: rows
      .filter((row) => shownIds.has(row.memory.id) && !isConstraint(row))
      .map(({ memory }) => toMemoryLine(memory)),
    workingMemory: renderWork(working, layout.facts),
    recovery: renderRecovery(digest, layout.maxRecovery, layout.facts),
  }
}

interface Pool {
  readonly candidates: readonly ScoredMemory[]
  readonly predicted: readonly ScoredMemory[]
  readonly constraints: readonly string[]
  readonly rateTopic: (text: string) => number
}

/** The memories from which a start selects. */
async function readPool(
  needs: HooksNeeds,
  { project, sessionKey }: Hook,
  {
    scope,
    queries,
    isCompacted,
    includes,
    working,
  }: Omit<MemoryRequest, 'checkpoints'> & { readonly queries: readonly string[] },
): Promise<Pool> {
  const { memoryIds: focalIds, constraints } =
    project === null
      ? { memoryIds: [], constraints: [] }
      : await needs.entities.findFocal(scope, project)
  const sample = await listSample(needs, { scope, project })
  const rateTopic = rateTopics(sample.map(({ content }) => content))
  const [candidates, predicted] = await Promise.all([
    scoreMemories(needs, { scope, project, focalIds }),
    includes('memories')
      ? predictMemories(needs, { scope, project, queries, sample, rateTopic })
      : [],
  ])
  const hasSection = working.work.length > 0 && working.ownText === ''
  // A section lists the sessions of the project, and a compacted session has its own summary.
  const isKnown = ({ memory }: ScoredMemory) =>
    memory.type === 'session_summary' &&
    ((hasSection && memory.project === project) || (isCompacted && memory.sourceId === sessionKey))
  const isWanted = (row: ScoredMemory) => isOfProject(row, project) && !isKnown(row)
  return {
    candidates: candidates.filter(isWanted),
    predicted: predicted.filter(isWanted),
    constraints,
    rateTopic,
  }
}

interface Limits extends Budget {
  readonly maxRecovery: number
  /** Characters of memories and recovery together. */
  readonly maxTotal: number
}

function toLimits(
  { settings }: HooksNeeds,
  { includes, isCompacted, otherLength }: MemoryRequest,
): Limits {
  const { hooks, continuity } = settings()
  const { recallLimit, maxMemoriesChars, maxMemoryChars } = hooks.sessionStart
  const maxRecovery = continuity.recoveryBudgetChars
  return {
    maxRows: includes('memories') ? recallLimit : 0,
    maxCharacters: maxMemoriesChars,
    maxMemoryCharacters: maxMemoryChars,
    maxRecovery: isCompacted ? Math.min(maxCompactRecovery, maxRecovery) : maxRecovery,
    maxTotal: isCompacted ? maxCompactLength - otherLength : maxMemoriesChars + maxRecovery,
  }
}

interface LayoutInput {
  readonly digest: string
  readonly working: WorkingMemory
  readonly limits: Limits
}

/** Distributes the budget: constraints, recovery, memories. Earlier sessions have a reserve. */
function distribute(
  { candidates, predicted, constraints, rateTopic }: Pool,
  { digest, working, limits }: LayoutInput,
) {
  const facts = new ShownFacts()
  const isLong = ({ memory }: ScoredMemory) => Number(memory.content.length > maxRuleLength)
  // A long rule would leave no space for others.
  const rules = [...candidates, ...predicted]
    .filter(isConstraint)
    .toSorted((a, b) => isLong(a) - isLong(b))
  const section = chooseConstraints(constraints, rules, facts)
  const left = limits.maxTotal - section.text.length
  const maxRecovery = Math.min(limits.maxRecovery, left)
  const recoveryLength = renderRecovery(digest, maxRecovery, facts).length
  const work = working.ownText === '' ? reserveForWork(working.work) : 0
  const maxCharacters = Math.min(
    limits.maxCharacters - memoriesHeading.length - section.text.length - work,
    left - memoriesHeading.length - recoveryLength,
  )
  const listed = section.rows.slice(0, limits.maxRows)
  const rows = chooseMemories(
    {
      candidates: candidates
        .filter((row) => !isConstraint(row))
        .map((row) => ({ row, worth: row.score * (minTopic + rateTopic(row.memory.content)) }))
        .toSorted((a, b) => b.worth - a.worth)
        .map(({ row }) => row),
      predicted: predicted.filter((row) => !isConstraint(row)),
    },
    facts,
    { ...limits, maxRows: limits.maxRows - listed.length, maxCharacters },
  )
  return { facts, constraints: section.text, rows: [...listed, ...rows], maxRecovery }
}

/** The queries of the last checkpoint, the words of the latest summaries and the name of the project. */
function toPredictionQueries(
  project: string | null,
  { work }: WorkingMemory,
  { ofProject }: Checkpoints,
): readonly string[] {
  const summaries = work.slice(0, maxQuerySummaries).map(({ text }) => text)
  return [
    toQueries(ofProject).join(' ').slice(-maxQueryLength),
    ...summaries,
    toProjectQuery(project),
  ]
}
