import { assertPermission } from '../../kernel/auth/permission.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { toCleanText } from '../../kernel/redaction/clean-text.ts'
import type { Memory } from '../memory/index.ts'
import type { HooksConfig } from './config.ts'
import { enter, type Hook, type HookRequest, noOps } from './hook.ts'
import type { HooksNeeds } from './needs.ts'
import { toMemoryLine } from './render.ts'
import type { preCompactionBody } from './schemas.ts'
import { upsertPendingCompaction } from './store.ts'

const defaultGuidelines = `Keep what the next session needs, briefly and in the first person:
- decisions and why they were made
- new information about people, projects and systems
- preferences that were stated
- open threads and what comes next
- errors that were met and how they were fixed`

/** Weight of recency against importance in the selection of memories for the prompt. */
const recencyShare = 0.9
const decayPerDay = 0.95
const dayMs = 86_400_000

/** Returns the guidelines for a summary. The epoch does not change. */
export async function prepareCompaction(
  needs: HooksNeeds,
  { hook, sessionContext, transcriptPath }: HookRequest<typeof preCompactionBody>,
) {
  assertPermission(transcriptPath === undefined ? 'recall' : 'remember', hook.caller)
  const entry = await enter(needs, hook, { noOp: noOps.preCompaction })
  if (entry.status === 'idle') return entry.reply
  await saveCheckpoint(needs, hook, sessionContext)
  const guidelines = toGuidelines(needs.settings().hooks.preCompaction)
  const memories = await listRecent(needs, hook)
  const heading =
    'The context is about to be compacted. Write a summary that keeps all durable memories of this session.'
  const recent =
    memories.length === 0
      ? []
      : ['Memories of this session:', memories.map(toMemoryLine).join('\n')]
  const summaryPrompt = [heading, guidelines, ...recent].join('\n\n')
  return { summaryPrompt, guidelines, instructions: summaryPrompt }
}

/** A failure is logged: the guidelines do not depend on the checkpoint. */
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
        id,
        trigger: 'pre_compaction',
        ends: false,
        context: context === undefined ? undefined : toCleanText(context),
      }),
    )
  } catch (error) {
    log.warn({ err: error }, 'pre-compaction checkpoint failed')
  }
}

function toGuidelines({
  summaryGuidelines = defaultGuidelines,
  maxSummaryChars,
}: HooksConfig['preCompaction']): string {
  return maxSummaryChars === undefined
    ? summaryGuidelines
    : `${summaryGuidelines}\nWrite ${maxSummaryChars} characters at most.`
}

/** The memories that this session saved, by recency and importance. */
async function listRecent(
  needs: HooksNeeds,
  { caller, sessionKey }: Hook,
): Promise<readonly Memory[]> {
  const { includeRecentMemories, memoryLimit } = needs.settings().hooks.preCompaction
  if (!includeRecentMemories || memoryLimit === 0 || sessionKey === undefined) return []
  const now = needs.host.now()
  const scope = await needs.agents.readScopeOf(needs.db, caller)
  // A caller may have saved a memory under the prefixed key.
  const sessionIds = [sessionKey, `session:${sessionKey}`]
  const limit = Math.max(100, memoryLimit)
  const memories = await needs.memory.selection.listBySession(needs.db, scope, {
    sessionIds,
    limit,
  })
  const scoreOf = ({ createdAt, importance }: Memory) => {
    const days = Math.max(0, now.getTime() - new Date(createdAt).getTime()) / dayMs
    return recencyShare * decayPerDay ** days + (1 - recencyShare) * importance
  }
  return memories
    .toSorted((a, b) => scoreOf(b) - scoreOf(a) || a.id.localeCompare(b.id))
    .slice(0, memoryLimit)
}
