import { assertPermission } from '../../kernel/auth/permission.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { Memory } from '../memory/index.ts'
import type { HooksConfig } from './config.ts'
import { enter, type Hook } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import { noOps } from './no-op.ts'
import { toMemoryLine } from './start/texts.ts'
import { upsertPendingCompaction } from './store.ts'

export interface PreCompaction {
  readonly hook: Hook
  readonly sessionContext?: string | undefined
  readonly transcriptPath?: string | undefined
}

/** What a summary is to keep. */
const defaultGuidelines = `Keep what the next session needs, briefly and in the first person:
- decisions and why they were made
- new information about people, projects and systems
- preferences that were stated
- open threads and what comes next
- errors that were met and how they were fixed`

/** How much newer counts for more than heavier, among the memories that a summary is reminded of. */
const recencyShare = 0.9
const fadingPerDay = 0.95
const dayMs = 86_400_000

/** Says what a summary must keep before a harness forgets its context; the epoch stays. */
export async function prepareCompaction(needs: HooksNeeds, request: PreCompaction) {
  const { hook, sessionContext, transcriptPath } = request
  assertPermission(transcriptPath === undefined ? 'recall' : 'remember', hook.caller)
  const entry = await enter(needs, hook, { noOp: noOps.preCompaction })
  if (entry.status === 'idle') return entry.reply
  await saveCheckpoint(needs, hook, sessionContext)
  const guidelines = toGuidelines(needs.settings().hooks.preCompaction)
  const memories = await listRecent(needs, hook)
  const heading =
    'The context is about to be compacted. Write a summary that keeps all durable memories of this session.'
  const reminded =
    memories.length === 0 ? [] : ['Recent memories:', memories.map(toMemoryLine).join('\n')]
  const summaryPrompt = [heading, guidelines, ...reminded].join('\n\n')
  return { summaryPrompt, guidelines, instructions: summaryPrompt }
}

/** What a summary must keep is told without it as well: the window stays for the next one. */
async function saveCheckpoint(
  { db, host, sessions, log }: HooksNeeds,
  { caller: { agentId }, sessionKey }: Hook,
  context: string | undefined,
): Promise<void> {
  if (sessionKey === undefined) return
  const id = { agentId, sessionKey }
  try {
    await upsertPendingCompaction(db, { ...id, preparedAt: host.now().toISOString() })
    await transaction(db, (db) =>
      sessions.checkpoint(db, {
        ...{ id, trigger: 'pre_compaction', ends: false },
        context: context === undefined ? undefined : toCleanText(context),
      }),
    )
  } catch (error) {
    log.warn({ err: error }, 'a checkpoint before a compaction was not kept')
  }
}

function toGuidelines({
  summaryGuidelines = defaultGuidelines,
  maxSummaryChars: most,
}: HooksConfig['preCompaction']): string {
  return most === undefined
    ? summaryGuidelines
    : `${summaryGuidelines}\nWrite ${most} characters at most.`
}

async function listRecent(needs: HooksNeeds, { caller }: Hook): Promise<readonly Memory[]> {
  const { includeRecentMemories, memoryLimit } = needs.settings().hooks.preCompaction
  if (!includeRecentMemories || memoryLimit === 0) return []
  const now = needs.host.now()
  const scope = await needs.agents.readScopeOf(needs.db, caller)
  const pool = await needs.memory.selection.listByDecayedImportance(needs.db, {
    ...{ scope, now, limit: Math.max(100, memoryLimit), minImportance: 0 },
  })
  const weigh = ({ createdAt, importance }: Memory) => {
    const days = Math.max(0, now.getTime() - new Date(createdAt).getTime()) / dayMs
    return recencyShare * fadingPerDay ** days + (1 - recencyShare) * importance
  }
  return pool
    .toSorted((a, b) => weigh(b) - weigh(a) || a.id.localeCompare(b.id))
    .slice(0, memoryLimit)
}
