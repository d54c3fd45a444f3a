import { payloadColumn } from './knowledge-operations.ts'
import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { type Row, renderRows, toRows } from './render.ts'
import { renderConflicts } from './render-graph.ts'

const sampleId = '0195f3a0'

/** The commands that read proposals from sources, and the one that mends names. */
export const extractOperations: readonly Operation[] = [
  {
    command: 'ontology extract',
    timeoutMs: 150_000,
    route: 'POST /api/ontology/extract',
    summary: 'Propose what a source states; nothing is stored without --write-proposals',
    examples: [
      `reverie ontology extract memory:${sampleId}`,
      `reverie ontology extract memory:${sampleId} --write-proposals`,
    ],
    arguments: ['from'],
    noun: 'source',
    listedBy: 'reverie list, reverie sessions list --all',
    options: {
      created_by: null,
      use_provider: 'provider',
      provider_timeout_ms: null,
      provider_max_tokens: null,
    },
    descriptions: {
      from: 'memory:ID, transcript:SESSION or artifact:PATH',
      write_proposals: 'store the proposals for review',
      write_assertions: 'store the assertions',
      limit: 'maximum number of proposals, 1 to 500',
      use_provider: 'let a model read the source too',
    },
    render: renderExtract,
  },
  {
    command: 'ontology consolidate',
    timeoutMs: 150_000,
    route: 'POST /api/ontology/consolidate',
    summary: 'Summarize stored proposals and their conflicts',
    examples: ['reverie ontology consolidate', 'reverie ontology consolidate --limit 200'],
    options: {
      created_by: null,
      use_provider: 'provider',
      provider_timeout_ms: null,
      provider_max_tokens: null,
    },
    descriptions: {
      use_provider: 'let a model merge equal proposals',
      write_proposals: 'store the proposals for review',
    },
    render: ({ summary, conflicts, warnings, ...reply }) =>
      [
        String(summary),
        ...(toRows(reply['proposals']).length > 0 ? [renderExtract(reply)] : []),
        ...(toRows(conflicts).length > 0 ? [renderConflicts({ items: conflicts })] : []),
        ...renderWarnings(warnings),
      ].join('\n'),
  },
  {
    command: 'ontology rebuild-names',
    route: 'POST /api/ontology/rebuild-names',
    summary: 'Rebuild the searchable names of the graph',
    examples: ['reverie ontology rebuild-names'],
    render: ({ entities }) =>
      `${colors.green('✓')} Rebuilt the names of ${entities} ${entities === 1 ? 'entity' : 'entities'}`,
  },
]

function renderExtract({ proposals, writtenCount, dryRun, warnings = [] }: Row): string {
  const rows = toRows(proposals)
  if (rows.length === 0)
    return ['The source states nothing that a rule reads.', ...renderWarnings(warnings)].join('\n')
  const columns = { operation: 'operation', confidence: 'confidence', ...payloadColumn }
  const next = dryRun
    ? 'Nothing is stored. Store them for review with --write-proposals.'
    : `${colors.green('✓')} Stored ${writtenCount}. Review them with: reverie ontology proposals --status pending`
  return [renderRows(rows, columns), ...renderWarnings(warnings), next].join('\n')
}

function renderWarnings(warnings: unknown): string[] {
  return [warnings].flat().map((warning) => colors.yellow(toLine(String(warning))))
}
