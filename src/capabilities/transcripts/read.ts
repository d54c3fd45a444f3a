import type { Caller } from '../../kernel/auth/caller.ts'
import { isInProject } from '../../kernel/auth/permission.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { toJsonStream } from '../../kernel/http/stream.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { findOutline, findTranscript } from './store/transcripts.ts'
import type { Outline } from './transcript.ts'

/** The agent's own, and of its token's project; after a compaction what was put away by it. */
export async function readTranscript(
  { db, texts }: Pick<TranscriptsRuntime, 'db' | 'texts'>,
  caller: Caller,
  sessionKey: string,
) {
  const { agentId } = caller
  const transcript = await findTranscript(db, { agentId, sessionKey })
  if (!transcript || !isInProject(caller, transcript.project))
    throw new Refusal('not_found', 'not_found', 'Transcript not found')
  const shown = await texts.show({ agentId, sessionKey, content: transcript.content })
  return shown instanceof Uint8Array ? toJsonStream(shown) : shown
}

/** With so many characters from its end, read through the same filter. */
export async function readOutline(
  { db }: Pick<TranscriptsRuntime, 'db'>,
  caller: Caller,
  { sessionKey, ending }: { readonly sessionKey: string; readonly ending: number },
): Promise<Outline | undefined> {
  const { agentId } = caller
  const outline = await findOutline(db, { agentId, sessionKey }, ending)
  return outline && isInProject(caller, outline.project) ? outline : undefined
}
