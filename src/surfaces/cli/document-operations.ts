import { toCount } from '../../kernel/errors/to-count.ts'
import { neutralize } from '../../kernel/redaction/neutralize.ts'
import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { renderDetail } from './render.ts'

const ofDocument = { noun: 'document', listedBy: 'reverie documents' }

/** The commands about documents that send one request. */
export const documentOperations: readonly Operation[] = [
  {
    command: 'document list',
    route: 'GET /api/documents',
    summary: 'List the documents, the newest first',
    examples: ['reverie documents', 'reverie documents --status failed'],
    after: 'document add',
    columns: {
      id: ({ id }) => String(id).slice(0, 13),
      status: 'status',
      title: ({ title, url }) => toLine(String(title ?? url ?? ''), 40),
      chunks: 'chunk_count',
      error: ({ error }) => toLine(String(error ?? ''), 60),
    },
    empty: 'No document is stored. Add one: reverie document add FILE',
  },
  {
    command: 'document show',
    route: 'GET /api/documents/:id',
    summary: 'Show a document with its text',
    examples: ['reverie document show 0195f3a0'],
    ...ofDocument,
    after: 'document list',
    render: ({ content, raw_content: _, metadata_json: __, ...fields }) =>
      `${neutralize(String(content ?? ''))}\n\n${renderDetail(fields)}`,
  },
  {
    command: 'document chunks',
    route: 'GET /api/documents/:id/chunks',
    summary: 'List the chunks of a document',
    examples: ['reverie document chunks 0195f3a0 --json'],
    ...ofDocument,
    after: 'document show',
    columns: {
      number: 'chunk_index',
      memory: ({ id }) => String(id).slice(0, 13),
      text: ({ content }) => toLine(String(content), 80),
    },
    empty: 'The document has no chunks.',
  },
  {
    command: 'document delete',
    route: 'DELETE /api/documents/:id',
    summary: 'Delete a document and forget its chunks',
    examples: ['reverie document delete 0195f3a0 --reason "it is outdated" --yes'],
    requiresReason: true,
    ...ofDocument,
    after: 'document chunks',
    render: ({ memoriesRemoved }) =>
      `${colors.green('✓')} Deleted, ${toCount(Number(memoriesRemoved), 'chunk')} forgotten`,
  },
]
