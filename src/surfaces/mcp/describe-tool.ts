import type { Tool as ListedTool } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { MountedTool } from '../../kernel/http/tool.ts'

type Properties = NonNullable<ListedTool['inputSchema']['properties']>
type Described = Pick<MountedTool, 'name' | 'title' | 'description' | 'effect' | 'input'>

/** A tool as the protocol lists it. */
export function describeTool({ name, title, description, effect, input }: Described) {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' })
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: properties as Properties,
      required,
      additionalProperties: false,
    },
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      destructiveHint: effect === 'removes' || effect === 'runs',
      // A repeated call changes nothing more, except a command or a message.
      idempotentHint: effect !== 'runs' && effect !== 'sends',
      openWorldHint: effect === 'runs',
    },
  }
}
