import type { Caller } from '../../kernel/auth/caller.ts'
import { isInProject } from '../../kernel/auth/permission.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { toJsonStream } from '../../kernel/http/stream.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { findHeader, findTranscript } from './store/transcripts.ts'
import type { TranscriptHeader } from './transcript.ts'

/** Limited to the caller's agent and project. Includes archived content until it is replaced. */
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

/** The header with `tail` characters of content, with the same access rules. */
export async function readHeader(
  { db }: Pick<TranscriptsRuntime, 'db'>,
  caller: Caller,
  { sessionKey, tail }: { readonly sessionKey: string; readonly tail: number },
): Promise<TranscriptHeader | undefined> {
  const { agentId } = caller
  const outline = await findHeader(db, { agentId, sessionKey }, tail)
  return outline && isInProject(caller, outline.project) ? outline : undefined
}
