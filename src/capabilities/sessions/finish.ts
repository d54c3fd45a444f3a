import type { Db } from '../../kernel/db/database.ts'
import type { Memory } from '../memory/index.ts'
import type { ReadTranscript } from '../transcripts/index.ts'
import { checkpoint } from './continuity.ts'
import type { SessionsNeeds } from './needs.ts'
import { judge } from './score.ts'
import type { SessionId } from './session.ts'
import { insertScore, listInjected } from './store/scores.ts'
import { findWindow } from './store/windows.ts'

/** As many as a session may be told at its beginning, and more than are worth weighing. */
const mostWeighed = 50
/** Characters of the conversation in which memories are looked for, from its end. */
const weighedCharacters = 200_000

export interface Finishing extends SessionId {
  readonly sessionId?: string | undefined
  /** Null for whoever does not know: then it is what was said before. */
  readonly harness: string | null
  readonly project: string | null
  readonly read?: ReadTranscript | undefined
  readonly capturedAt?: string | undefined
}

export interface Finished {
  /** `unknown` where nobody has said. */
  readonly harness: string
  /** How many there were. */
  readonly prompts: number
  /** The receipt of the capture; null when nothing was ever said. */
  readonly captureJobId: string | null
}

/** What is kept of a session at its end: a checkpoint, its transcript, and how well it was served. */
export async function finishSession(
  needs: SessionsNeeds,
  db: Db,
  finishing: Finishing,
): Promise<Finished> {
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

interface Weighing {
  readonly id: SessionId
  readonly harness: string
  readonly project: string | null
  readonly spoken: string
}

async function score(needs: SessionsNeeds, db: Db, { id, harness, project, spoken }: Weighing) {
  const { host, memory } = needs
  const ids = await listInjected(db, id, mostWeighed)
  const told = await memory.listByIds(db, ids)
  const judged = judge({
    told: told.map(({ content }: Memory) => content),
    spoken: spoken.slice(-weighedCharacters),
  })
  await insertScore(db, {
    ...{ ...id, id: host.newId(), harness, project, ...judged },
    createdAt: host.now().toISOString(),
  })
}
