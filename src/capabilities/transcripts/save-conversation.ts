import { transaction } from '../../kernel/db/transaction.ts'
import type { TranscriptsRuntime } from './needs.ts'
import { readInput } from './read-input.ts'
import { saveSnapshot } from './save-snapshot.ts'

export interface Conversation {
  readonly agentId: string
  readonly sessionKey: string
  readonly project: string | null
  readonly text: string
}

const harness = 'manual'

/** Saves a whole conversation that no harness watches. Saving it twice stores it once. */
export async function saveConversation(
  needs: TranscriptsRuntime,
  { agentId, sessionKey, project, text }: Conversation,
): Promise<void> {
  const read = await readInput(needs, { harness, transcript: text })
  const session = { agentId, sessionKey, harness, project: project ?? undefined }
  await transaction(needs.db, (db) => saveSnapshot(needs, db, { ...session, read, complete: true }))
}
