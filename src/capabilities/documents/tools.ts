import { z } from 'zod'
import { type Tool, tool } from '../../kernel/http/tool.ts'

/** MCP tools. Each maps to one route. */
export const documentTools: readonly Tool[] = [
  tool({
    name: 'document_add',
    title: 'Add a document',
    effect: 'adds',
    route: 'documents.add',
    description:
      'Add a text or the page of a URL as a document. It is read in the background and then found by memory_search.',
    input: z.object({
      content: z.string().describe('The text').optional(),
      url: z.string().describe('An http or https URL instead of a text').optional(),
      title: z.string().describe('The title of the document').optional(),
      project: z.string().describe('The project of the document').optional(),
    }),
    toRouteInput: ({ url, ...fields }) => ({
      body: { source_type: url === undefined ? 'text' : 'url', url, ...fields },
    }),
  }),
  tool({
    name: 'document_list',
    title: 'List documents',
    effect: 'reads',
    route: 'documents.list',
    description: 'List the added documents with their status, the newest first.',
    input: z.object({
      status: z.string().describe('Only documents with this status: done, failed, …').optional(),
      limit: z.number().describe('Maximum number of documents').optional(),
    }),
    toRouteInput: (query) => ({ query }),
  }),
]
