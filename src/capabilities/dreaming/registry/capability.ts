import type { z } from 'zod'
import type { DreamingNeeds } from '../needs.ts'
import type { PassWriter } from '../pass.ts'

/** Who calls a capability, and for which pass. */
export interface CapabilityContext {
  readonly needs: DreamingNeeds
  readonly agentId: string
  readonly actor: { readonly name: string; readonly type: string }
  /** The running pass, for capabilities that write to it. */
  readonly pass?: PassWriter | undefined
}

/** One tool of the pass, offered over HTTP, the command line and MCP too. */
export interface DreamCapability {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly readOnly: boolean
  readonly input: z.ZodObject
  run(context: CapabilityContext, input: never): Promise<object>
}

/** Infers the input at the definition. The registry needs only the shape. */
export function capability<Input extends z.ZodObject>(definition: {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly readOnly: boolean
  readonly input: Input
  run(context: CapabilityContext, input: z.output<Input>): Promise<object>
}): DreamCapability {
  return definition as unknown as DreamCapability
}
