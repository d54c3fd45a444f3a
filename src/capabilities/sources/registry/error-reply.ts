import { Reply } from '../../../kernel/http/route.ts'
import { RegistryUnreadable } from './registry.ts'

/**
 * Replies 500 with the cause while `sources.json` is unreadable. The file is never overwritten, so
 * the user must repair it.
 */
export async function withRegistryError<Result>(
  run: () => Promise<Result>,
): Promise<Result | Reply<never>> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof RegistryUnreadable)) throw error
    const body = { error: error.message, code: 'sources_unreadable' }
    return new Reply(500, body as never)
  }
}
