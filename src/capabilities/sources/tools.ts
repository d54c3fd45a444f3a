import { z } from 'zod'
import { type Tool, tool } from '../../kernel/http/tool.ts'
import { neutralize } from '../../kernel/redaction/neutralize.ts'

interface Listed {
  readonly sources: readonly {
    readonly id: string
    readonly name: string
    readonly kind: string
    readonly stats: { readonly artifacts: number }
    readonly indexJob: { readonly status: string } | null
    readonly lastIndexedAt?: string
  }[]
}

/** MCP tools. Each maps to one route. */
export const sourcesTools: readonly Tool[] = [
  tool({
    name: 'source_list',
    title: 'List sources',
    effect: 'reads',
    route: 'sources.list',
    description:
      'List the imported sources: folders of notes, repositories, chats, wikis and files. memory_search finds their text.',
    input: z.object({}),
    toRouteInput: () => ({}),
    toText: (reply) => render(reply as Listed),
  }),
]

function render({ sources }: Listed): string {
  if (sources.length === 0) return 'No source is added.'
  return sources
    .map(({ id, name, kind, stats, indexJob, lastIndexedAt = 'never' }) => {
      const state = indexJob ? `, run ${indexJob.status}` : ''
      return `- ${neutralize(name)} (${id}, ${kind}, ${stats.artifacts} items, indexed ${lastIndexedAt}${state})`
    })
    .join('\n')
}
