import { z } from 'zod'
import { type Tool, tool } from '../../kernel/http/tool.ts'

const text = z.string()

export const transcriptTools: readonly Tool[] = [
  tool({
    ...{
      name: 'session_search',
      title: 'Search sessions',
      effect: 'reads',
      route: 'transcripts.search',
    },
    description: 'Find earlier conversations by their words, with an excerpt of each.',
    input: z.object({
      query: text.min(1).describe('Words of the conversation, or the key of a session'),
      session_key: text.describe('Search only this session').optional(),
      current_session_key: text.describe('The calling session, which is excluded').optional(),
      agent_id: text.describe('The agent whose sessions are searched').optional(),
      project: text.optional(),
      limit: z.number().describe('At most 20; default 10').optional(),
    }),
    toRouteInput: (body) => ({ body }),
  }),
]
