import { z } from 'zod'
import { listPermissions } from '../../../kernel/auth/permission.ts'
import { DatabaseError } from '../../../kernel/db/database-error.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { Hook } from '../hook.ts'
import type { HooksNeeds } from '../needs.ts'

const maxRatings = 200
const ratings = z.record(z.string(), z.number().min(-1).max(1))

/** What the harness says of what was told before; that it cannot be taken holds up no prompt. */
export async function takeFeedback(
  { memory, log }: Pick<HooksNeeds, 'memory' | 'log'>,
  { caller, sessionKey: key }: Hook,
  written: unknown,
): Promise<void> {
  const said = ratings.safeParse(written)
  if (!said.success || key === undefined || !listPermissions(caller).includes('remember')) return
  const given = new Map(Object.entries(said.data).slice(0, maxRatings))
  if (given.size === 0) return
  try {
    await memory.giveFeedback(caller, { key, ratings: given })
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof DatabaseError)) throw error
    log.warn({ err: error }, 'what a harness thinks of memories was not kept')
  }
}
