import type { Caller } from '../../../kernel/auth/caller.ts'
import { invalidRequest, notFound } from '../../../kernel/errors/refusal.ts'
import { Reply } from '../../../kernel/http/route.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { PassWriter } from '../pass.ts'
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
  if (!found) throw notFound('Unknown Dreaming capability')
  const fields: Readonly<Record<string, unknown>> = Object(input)
  for (const field of ['agentId', 'agent_id'])
    if (field in fields)
      throw invalidRequest(`input must not have ${field}`, { tool: id, ok: false })
  if (!found.readOnly) needs.memory.assertWritable()
  const author = { name: role === 'agent' ? name : (actor ?? name), type: actorType }
  const pass = passId === undefined ? undefined : findWriter(needs, { agentId, passId })
  if (pass && !pass.stage && stagingTools.has(id))
    throw invalidRequest('The pass takes no operations: its model is not at work in this daemon.', {
      tool: id,
      ok: false,
      agentId,
    })
  const outcome = await runCapability(found, { needs, agentId, actor: author, pass }, input)
  if (!outcome.ok) throw invalidRequest(outcome.error, { tool: id, ok: false, agentId })
  return new Reply(200, { ok: true, ...outcome.output, tool: id, agentId })
}

/** They stage where a pass is named. */
const stagingTools: ReadonlySet<string> = new Set([
  'apply_ontology_ops',
  'record_hygiene_attention',
])

/** Stages with the model of the pass, or writes its note only. */
function findWriter(
  needs: DreamingNeeds,
  { agentId, passId }: { readonly agentId: string; readonly passId: string },
): PassWriter {
  const { current } = needs.active
  const isOurs = current?.passId === passId && current.agentId === agentId
  return (isOurs && current.writer) || createRunbookWriter(needs, { agentId, passId })
}
