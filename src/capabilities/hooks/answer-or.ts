import { DatabaseError } from '../../kernel/db/database-error.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import { Answer } from '../../kernel/http/route.ts'
import type { Log } from '../../kernel/log/log.ts'

/** Harnesses show the error's text: each hook has a word of its own for a fault. */
export async function answerOr<Reply>(
  error: string,
  log: Log,
  work: () => Promise<Reply>,
): Promise<Reply | Answer<{ error: string }>> {
  try {
    return await work()
  } catch (fault) {
    // What the database refuses may be tried again, and says so itself.
    if (fault instanceof Refusal || fault instanceof DatabaseError) throw fault
    log.error({ err: fault }, 'fault')
    return new Answer(500, { error })
  }
}
