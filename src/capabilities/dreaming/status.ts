import { findBlock, findEffectiveEngine } from './engine.ts'
import { readBacklog } from './evidence/backlog.ts'
import { maxSources } from './evidence/window.ts'
import type { DreamingNeeds } from './needs.ts'
import { planLifetimeMs } from './pass.ts'
import { toPassItem } from './read-pass.ts'
import { findBackoffEnd } from './schedule/backoff.ts'
import type { Due } from './schedule/due.ts'
import { readDue } from './schedule/schedule.ts'
import { listExclusions, listPendingAttention } from './store/attention.ts'
import { readState } from './store/evidence.ts'
import { countPlans, listPasses, sumCosts } from './store/passes.ts'
import type { AttentionRow } from './store/rows.ts'

const listedPasses = 10
const listedAttention = 20
const dayMs = 86_400_000

export async function readStatus(needs: DreamingNeeds, agentId: string) {
  const { db, config, active, host, models } = needs
  const settings = config()
  const now = host.now().getTime()
  const toIso = (ms: number) => new Date(ms).toISOString()
  const effective = findEffectiveEngine(needs, agentId)
  const stage = effective === 'model' ? 'modelChars' : 'rulesChars'
  const [due, state, day, plans, passes, exclusions, attention] = await Promise.all([
    readDue(needs, agentId),
    readState(db, agentId),
    sumCosts(db, toIso(now - dayMs)),
    countPlans(db, agentId, toIso(now - planLifetimeMs)),
    listPasses(db, agentId, { limit: listedPasses }),
    listExclusions(db, agentId, listedAttention * 5),
    listPendingAttention(db, agentId, listedAttention),
  ])
  const isSame = due.engine === effective
  const backlog = isSame ? due.backlog : await readBacklog(needs, db, agentId, stage)
  const blockedBy = findBlock(needs, agentId)
  const { passId: _, agentId: activeAgentId = null } = active.current ?? {}
  const isOwn = activeAgentId === agentId
  const { costPerDay, tokensPerDay, ...perPass } = settings.budget
  return {
    agentId,
    enabled: settings.enabled,
    worker: {
      running: blockedBy === null || blockedBy === 'no_provider',
      active: active.current !== undefined,
      activeAgentId: isOwn ? activeAgentId : null,
    },
    blockedBy,
    episodicTokensPending: backlog.tokens,
    backlog: { sources: backlog.sources, oldestAt: backlog.oldestAt, windowSources: maxSources },
    state: toState(state, backlog.tokens),
    config: {
      tokenThreshold: settings.tokenThreshold,
      backfillOnFirstRun: settings.backfillOnFirstRun,
      maxInputTokens: settings.maxInputTokens,
      maxOutputTokens: settings.maxOutputTokens,
      timeout: settings.timeout,
      maxInterval: settings.maxInterval,
      rulesTokenThreshold: settings.rules.tokenThreshold,
      apply: settings.apply,
      user: settings.user ?? null,
    },
    engine: {
      configured: settings.engine,
      effective,
      modelReady: models.isReady('memory_extraction', agentId),
    },
    budget: {
      day: {
        tokens: day.tokens,
        cost: day.costMicros / 1_000_000,
        costKnown: day.costKnown,
        limits: { tokens: tokensPerDay, cost: costPerDay },
      },
      pass: perPass,
    },
    schedule: {
      ...toSchedule(due),
      haltedUntil: findBackoffEnd(state)?.toISOString() ?? null,
    },
    plans,
    passes: passes.map(toPassItem),
    exclusions: exclusions.map(({ agentId: __, ...exclusion }) => exclusion),
    attention: attention.map(toAttentionItem),
  }
}

function toSchedule({ due, because, nextCheckAt }: Due) {
  return { due, because, nextCheckAt: nextCheckAt?.toISOString() ?? null }
}

function toState(state: Awaited<ReturnType<typeof readState>>, tokens: number) {
  return {
    tokensSinceLastPass: tokens,
    lastPassAt: state.lastPassAt,
    lastPassId: state.lastPassId,
    lastPassMode: state.lastPassMode,
    consecutiveFailures: state.rulesFailures,
    modelFailures: state.modelFailures,
    lastFailureAt: state.lastFailureAt,
    evidenceCursor: String(state.memoryCursor),
  }
}

function toAttentionItem(row: AttentionRow) {
  const { id, kind, subjectRef, details, priority, createdAt, generation } = row
  return {
    id,
    kind,
    subjectRef,
    details: JSON.parse(details) as Record<string, string>,
    priority,
    generation,
    createdAt,
  }
}
