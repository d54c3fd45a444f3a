import type { Caller } from '../../../kernel/auth/caller.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { Reply } from '../../../kernel/http/route.ts'
import type { DreamingNeeds } from '../needs.ts'
import { invalid } from '../refusals.ts'
import { createRunbookWriter } from '../runbook.ts'
import { findCapability, runCapability } from './registry.ts'

interface Call {
  readonly id: string
  readonly input: unknown
  readonly passId?: string | undefined
  readonly actor?: string | undefined
}

/** Runs a capability for a caller outside a pass, or with the note of a running pass. */
export async function invokeCapability(
  needs: DreamingNeeds,
  { agentId, name, role, actorType }: Caller,
  { id, input, passId, actor }: Call,
) {
  const found = findCapability(id)
  if (!found) throw new Refusal('not_found', 'not_found', 'Unknown Dreaming capability')
  const fields: Readonly<Record<string, unknown>> = Object(input)
  for (const field of ['agentId', 'agent_id'])
    if (field in fields) throw invalid(`input must not have ${field}`, { tool: id, ok: false })
  if (!found.readOnly) needs.memory.assertWritable()
  const author = { name: role === 'agent' ? name : (actor ?? name), type: actorType }
  const pass = passId === undefined ? undefined : createRunbookWriter(needs, { agentId, passId })
  const outcome = await runCapability(found, { needs, agentId, actor: author, pass }, input)
  if (!outcome.ok) throw invalid(outcome.error, { tool: id, ok: false, agentId })
  return new Reply(200, { ok: true, ...outcome.output, tool: id, agentId })
}
