import { listPermissions } from '../../../kernel/auth/permission.ts'
import { toRefusal } from '../../../kernel/http/errors.ts'
import type { HooksNeeds } from '../needs.ts'
import { hasStarted, startSession } from '../start/session-start.ts'
import { type Prompt, replyWithoutStorage, submitPrompt } from './submit-prompt.ts'

export interface FirstPrompt extends Prompt {
  /** Set by harnesses that take no context at session start. */
  readonly includeStart?: boolean | undefined
}

/** Adds the start context to the first reply of a session; a full disk stops no prompt. */
export async function submitFirstPrompt(needs: HooksNeeds, prompt: FirstPrompt) {
  try {
    return await submitWithStart(needs, prompt)
  } catch (error) {
    if (toRefusal(error)?.code !== 'storage_full') throw error
    needs.log.error({ err: error }, 'prompt not stored')
    return replyWithoutStorage(needs, prompt)
  }
}

async function submitWithStart(needs: HooksNeeds, prompt: FirstPrompt) {
  const startContext = await readStartContext(needs, prompt)
  const reply = await submitPrompt(needs, prompt)
  return { ...reply, ...(startContext !== '' && { startContext }) }
}

async function readStartContext(needs: HooksNeeds, prompt: FirstPrompt): Promise<string> {
  const { hook, includeStart } = prompt
  // A session start takes this permission.
  if (!includeStart || !listPermissions(hook.caller).includes('remember')) return ''
  if (await hasStarted(needs, hook)) return ''
  const start = await startSession(needs, { hook, claimOnly: false })
  return 'inject' in start ? start.inject : ''
}
