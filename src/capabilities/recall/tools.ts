import { z } from 'zod'
import { projectHeader } from '../../kernel/http/project-header.ts'
import { type Tool, tool } from '../../kernel/http/tool.ts'
import { fenceExternal, fenceNotice } from '../../kernel/redaction/fence.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import type { RecallResult, ResultRow } from './replies.ts'

const text = z.string()
const input = z.object({
  query: text.min(1).describe('The query, in plain words'),
  limit: z.number().describe('Maximum number of results, up to 50; default 10').optional(),
  keyword_query: text.describe('FTS expression that replaces the terms of the query').optional(),
  project: text.describe('Filter by project').optional(),
  type: text.describe('Filter by type').optional(),
  tags: z
    .union([text, z.array(text)])
    .describe('Filter by tags; all must match')
    .optional(),
  who: text.describe('Filter by speaker').optional(),
  since: text.describe('Created at or after this ISO time').optional(),
  until: text.describe('Created at or before this ISO time').optional(),
  pinned: z.boolean().describe('Filter by pinned or not pinned').optional(),
  importance_min: z.number().describe('Minimum importance, 0 to 1').optional(),
  score_min: z.number().describe('Minimum score, 0 to 1').optional(),
  min_score: z.number().describe('Alias of score_min').optional(),
  include_recalled: z
    .boolean()
    .describe('Include results that this session has already received')
    .optional(),
  aggregate: z.boolean().describe('Aggregate the results').optional(),
  aggregate_budget: z
    .enum(['small', 'medium', 'large'])
    .describe('Query budget of the aggregation; default medium')
    .optional(),
  save_aggregate: z
    .boolean()
    .describe('Save the aggregate as a memory; needs the permission `remember`')
    .optional(),
  session_key: text.describe('Session key; results are deduplicated per session').optional(),
  agent_id: text.describe('Agent whose memories are searched').optional(),
  sources: z
    .boolean()
    .describe('false: no text of imported sources; true: as many of it as of memories')
    .optional(),
  scope: z
    .enum(['global', 'agent', 'session'])
    .describe(
      'Search range: all readable memories (default), those of the agent, or those of the session',
    )
    .optional(),
  reference_time: text
    .describe('ISO time that words such as "yesterday" refer to; default now')
    .optional(),
  time_zone: text.describe('IANA time zone of the caller').optional(),
  min_confidence: z
    .number()
    .min(0)
    .max(1)
    .describe('Minimum confidence of a result, 0 to 1')
    .optional(),
  time: z.record(text, z.unknown()).describe('Time range: {start, end, facets}').optional(),
})

/** Maximum content length of a line; `memory_get` returns the full content. */
const shownCharacters = 240

export const recallTools: readonly Tool[] = [
  tool({
    name: 'memory_search',
    title: 'Search memory',
    effect: 'reads',
    route: 'recall.recall',
    description:
      'Search memories: facts, preferences, decisions and events of earlier conversations. Best first, truncated; memory_get returns one in full.',
    input,
    toRouteInput: (
      { score_min, min_score, scope: within, ...body },
      { project, liveSessions },
    ) => ({
      body: {
        ...body,
        within,
        minScore: score_min ?? min_score,
        excludedSessions: liveSessions,
      },
      ...(project && { headers: { [projectHeader]: encodeURIComponent(project) } }),
    }),
    toText: (reply) => toBrief(reply as RecallResult),
    toStructured: (reply) => ({ results: (reply as RecallResult).results.map(toShort) }),
  }),
]

/** A short row with the id that `memory_get` accepts. */
function toShort({ id, subject_id = id, content, type, created_at, ...row }: ResultRow) {
  const { score, confidence, outdated_by } = row
  const text = content.replaceAll(/\s+/g, ' ')
  const shown = text.length > shownCharacters ? `${sliceText(text, 0, shownCharacters)}…` : text
  return {
    id: subject_id,
    content: shown,
    ...(row.trust && {
      trust: row.trust,
      source: row.who,
      source_path: row.source_path,
      heading: row.heading,
    }),
    type,
    date: created_at.slice(0, 10),
    score,
    ...(confidence !== undefined && { confidence }),
    ...(outdated_by && { outdated_by }),
  }
}

function toBrief({ results, aggregate, meta }: RecallResult): string {
  const { dedupe, degradation, confidence } = meta
  const isWeak = confidence === 'low' && results.length > 0
  const weak = isWeak ? ['Weak match: these memories may not answer the query.'] : []
  const suppressed = dedupe?.suppressed
    ? [`${dedupe.suppressed} were shown in this session before.`]
    : []
  const degraded = degradation ? [`Answered without: ${degradation.stages.join(', ')}.`] : []
  const isUnsynthesized = aggregate !== undefined && aggregate.stoppedReason !== 'complete'
  const unsynthesized = isUnsynthesized
    ? [`Not aggregated (${aggregate.budget}): ${aggregate.stoppedReason}.`]
    : []
  const rows = results.map(toShort).map(({ id, content, type, date, score, ...row }) => {
    const outdated = row.outdated_by ? `, outdated by ${row.outdated_by}` : ''
    const origin = { source: row.source ?? '', path: row.source_path ?? id }
    const text = row.trust ? fenceExternal(content, origin) : content
    return `- ${text}\n  (${id}, ${type}, ${date}, score ${score}${outdated})`
  })
  const notice = results.some(({ trust }) => trust) ? [fenceNotice] : []
  return [
    ...weak,
    ...notice,
    ...(rows.length === 0 ? ['Nothing is remembered about this.'] : rows),
    ...suppressed,
    ...degraded,
    ...unsynthesized,
  ].join('\n')
}
