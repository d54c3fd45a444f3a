import { z } from 'zod'
import { type Tool, tool } from '../../kernel/http/tool.ts'
import { listCapabilities } from './registry/registry.ts'

const pages = z.object({
  items: z.array(z.object({ name: z.string(), claims: z.int() })),
})
const page = z.object({ text: z.string() })

const readPage: Tool = tool({
  name: 'knowledge_page',
  title: 'Read a page of quotes about an entity',
  effect: 'reads',
  route: 'dream.pages',
  routeByArgument: { argument: 'name', route: 'dream.page' },
  description:
    'Read what the evidence says about a person or project: current values, changes, decisions and mentions, each with its quote. Without a name it lists the pages.',
  input: z.object({ name: z.string().min(1).describe('Name of the entity').optional() }),
  toRouteInput: ({ name }) => (name === undefined ? {} : { params: { name } }),
  toText: (reply) => {
    const { data } = page.safeParse(reply)
    if (data) return data.text
    const lines = pages.parse(reply).items.map(({ name, claims }) => `- ${name} (${claims} claims)`)
    return lines.length === 0 ? 'There are no pages.' : lines.join('\n')
  },
})

/** MCP tools. The capabilities of passes are offered where the setting says so. */
export function dreamingTools(isOffered: () => boolean): readonly Tool[] {
  const capabilities = listCapabilities().map(({ id, title, description, readOnly, input }) =>
    tool({
      name: id,
      title,
      description,
      effect: readOnly ? 'reads' : 'changes',
      route: 'dream.invoke',
      input,
      isOffered,
      isOptional: true,
      toRouteInput: (fields) => ({ params: { capability: id }, body: { input: fields } }),
    }),
  )
  return [readPage, ...capabilities]
}
