import type { Db } from '../../kernel/db/database.ts'
import type { Memory } from '../memory/index.ts'
import type { ReadTranscript } from '../transcripts/index.ts'
import { checkpoint } from './continuity.ts'
import type { SessionsNeeds } from './needs.ts'
import { scoreSession } from './score.ts'
import type { SessionId } from './session.ts'
import { insertScore, listInjected } from './store/scores.ts'
import { findWindow } from './store/windows.ts'

/** Injected memories that are scored at most. */
const maxScoredMemories = 50
/** Characters at the end of the transcript that are scored. */
const maxScoredCharacters = 200_000

export interface FinishRequest extends SessionId {
  readonly sessionId?: string | undefined
  /** Null for the harness of the window or the transcript. */
  readonly harness: string | null
  readonly project: string | null
  readonly read?: ReadTranscript | undefined
  readonly capturedAt?: string | undefined
}

export interface FinishResult {
  /** `unknown` if no row names it. */
  readonly harness: string
  /** Count of prompts. */
  readonly prompts: number
  /** The id of the capture job. Null for an empty transcript. */
  readonly captureJobId: string | null
}

/** Saves the checkpoint, the transcript and the score of a session at its end. */
export async function finishSession(
  needs: SessionsNeeds,
  db: Db,
  finishing: FinishRequest,
): Promise<FinishResult> {
  const { transcripts } = needs
  const { agentId, sessionKey, sessionId, read, capturedAt } = finishing
  const window = await findWindow(db, finishing)
  const before = await transcripts.findOrigin(db, finishing)
  const harness = finishing.harness ?? window?.harness ?? before?.harness ?? 'unknown'
  const project = [before, window, finishing].find((each) => each?.project)?.project ?? null
  await checkpoint(needs, db, { id: finishing, trigger: 'session_end', ends: true })
  const kept = await transcripts.saveSnapshot(db, {
    ...{ agentId, sessionKey, sessionId, harness, read, capturedAt, complete: true },
    project: project ?? undefined,
  })
  const spoken = kept?.transcript.content ?? ''
  await score(needs, db, { id: { agentId, sessionKey }, harness, project, spoken })
  const captureJobId = kept ? await transcripts.enqueueCapture(db, kept) : null
  return { harness, prompts: window?.promptCount ?? 0, captureJobId }
}

interface ScoreInput {
  readonly id: SessionId
  readonly harness: string
  readonly project: string | null
  readonly spoken: string
}

async function score(needs: SessionsNeeds, db: Db, { id, harness, project, spoken }: ScoreInput) {
  const { host, memory } = needs
  const ids = await listInjected(db, id, maxScoredMemories)
  const told = await memory.listByIds(db, ids)
  const judged = scoreSession({
    injected: told.map(({ content }: Memory) => content),
    transcript: spoken.slice(-maxScoredCharacters),
  })
  await insertScore(db, {
    ...{ ...id, id: host.newId(), harness, project, ...judged },
    createdAt: host.now().toISOString(),
  })
}
