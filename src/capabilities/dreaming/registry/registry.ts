import { z } from 'zod'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { CapabilityContext, DreamCapability } from './capability.ts'
import { evidenceTools } from './evidence-tools.ts'
import { graphReaders } from './graph-readers.ts'

const order = [
  'search_entities',
  'get_entity',
  'list_aspect_claims',
  'walk_links',
  'get_claim_evidence',
  'get_link_evidence',
  'search_evidence',
  'check_entity_label',
  'find_duplicate_entities',
  'check_contradiction',
  'runbook_read',
  'runbook_write',
  'record_hygiene_attention',
  'apply_ontology_ops',
]

/** The one list of capabilities: HTTP, the command line, MCP and the model of a pass read it. */
const registry: readonly DreamCapability[] = [...graphReaders, ...evidenceTools].toSorted(
  (one, other) => order.indexOf(one.id) - order.indexOf(other.id),
)

export function describeCapabilities() {
  return registry.map(({ id, title, description, readOnly, input }) => {
    const { $schema: _, ...inputSchema } = z.toJSONSchema(input, { io: 'input' })
    return { id, title, description, readOnly, inputSchema }
  })
}

export function listCapabilities(): readonly DreamCapability[] {
  return registry
}

export function findCapability(id: string): DreamCapability | undefined {
  return registry.find((one) => one.id === id)
}

export type Outcome =
  | { readonly ok: true; readonly output: object }
  | { readonly ok: false; readonly error: string }

/** Validates the input and runs a capability. Refusals are results. */
export async function runCapability(
  found: DreamCapability,
  context: CapabilityContext,
  input: unknown,
): Promise<Outcome> {
  const parsed = found.input.safeParse(input ?? {})
  if (!parsed.success) return { ok: false, error: describeIssues(parsed.error) }
  try {
    return { ok: true, output: await found.run(context, parsed.data as never) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ok: false, error: error.message }
  }
}

/** `<path>: <message>; …` */
function describeIssues({ issues }: z.ZodError): string {
  return issues
    .slice(0, 10)
    .map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`)
    .join('; ')
}
