import type { Caller } from '../../kernel/auth/caller.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { toWritten } from '../../kernel/http/stream.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { findTranscript } from './store/transcripts.ts'

/** The agent's own, and of its token's project; after a compaction what was put away by it. */
export async function readTranscript(
  { db, texts }: Pick<TranscriptsRuntime, 'db' | 'texts'>,
  { agentId, scope }: Caller,
  sessionKey: string,
) {
  const transcript = await findTranscript(db, { agentId, sessionKey })
  const isOutside = scope.project !== undefined && scope.project !== transcript?.project
  if (!transcript || isOutside) throw new Refusal('not_found', 'not_found', 'Transcript not found')
  const shown = await texts.show({ agentId, sessionKey, content: transcript.content })
  return shown instanceof Uint8Array ? toWritten(shown) : shown
}
