import { ReverieError } from '../../client/public/reverie-error.ts'
import { CliError } from './failure.ts'

/** The daemon says no more than that it is not there; what was asked for is known here. */
export async function nameMissing<Reply>(
  reply: Promise<Reply>,
  { what, hint }: { readonly what: string; readonly hint: string },
): Promise<Reply> {
  try {
    return await reply
  } catch (error) {
    if (!(error instanceof ReverieError && error.code === 'not_found')) throw error
    throw new CliError('not_found', error.code, `there is no ${what}`, hint)
  }
}
