import { widenScan } from './evidence/compact.ts'
import type { SourceRef } from './evidence/evidence.ts'
import { type Scan, scanChanges } from './evidence/scan.ts'
import { collectWindow, type Window } from './evidence/window.ts'
import { stageHygiene } from './hygiene-stage.ts'
import { type ModelResult, runModel } from './model/run-model.ts'
import type { DreamingNeeds } from './needs.ts'
import type { Pass, StagedOperation } from './pass.ts'
import { listCandidates } from './producers.ts'
import type { Fact, PlannedAttention } from './rules/statement.ts'
import { stageRules } from './rules-stage.ts'

/** What a pass wants to do, before it is checked. */
export interface Plan {
  readonly scan: Scan
  readonly window: Window
  readonly operations: readonly StagedOperation[]
  /** Statements that need no operation are remembered too. */
  readonly facts: readonly Fact[]
  readonly attention: readonly PlannedAttention[]
  /** Sources that the next pass reads again. */
  readonly postponed: readonly SourceRef[]
  readonly skipped: Readonly<Record<string, number>>
  readonly nearDuplicates: Pass['nearDuplicates']
  /** Undefined where no model has read. */
  readonly model: ModelResult | undefined
  /** What a person or a model should look at. */
  readonly candidates: Awaited<ReturnType<typeof listCandidates>>
}

const charactersPerToken = 4
const nothing: Window = { sources: [], absent: [] }

export async function planPass(
  needs: DreamingNeeds,
  pass: Pass,
  signal: AbortSignal,
): Promise<Plan> {
  const { agentId, mode } = pass
  const db = needs.background
  const scan = await scanChanges(needs, db, agentId)
  const reading = mode === 'compact' ? await widenScan(needs, db, { agentId, scan }) : scan
  signal.throwIfAborted()
  const maxChars = needs.config().maxInputTokens * charactersPerToken
  const window =
    mode === 'incremental-hygiene'
      ? nothing
      : await collectWindow(needs, db, { agentId, stage: 'rulesChars', scan: reading, maxChars })
  signal.throwIfAborted()
  const staged = await stageRules(needs, db, { pass, window, signal })
  const candidates = mode === 'incremental-content' ? [] : await listCandidates(needs, db, agentId)
  const canRead = pass.engine !== 'rules' && needs.models.isReady('memory_extraction', agentId)
  const planned = [...staged.operations]
  if (mode !== 'incremental-content')
    planned.push(...(await stageHygiene(needs, db, { pass, offset: planned.length })))
  const model = canRead
    ? await runModel(needs, pass, { scan: reading, planned, signal })
    : undefined
  signal.throwIfAborted()
  const operations = [...planned, ...(model?.operations ?? [])]
  return { scan, window, ...staged, operations, candidates, model }
}
