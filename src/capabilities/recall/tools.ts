import { z } from 'zod'
import { projectHeader } from '../../kernel/http/project-header.ts'
import { type Tool, tool } from '../../kernel/http/tool.ts'
import type { Recalled } from './recall.ts'
import type { ResultRow } from './result.ts'

const text = z.string()
const asked = z.object({
  query: text.min(1).describe('The question, in plain words'),
  limit: z.number().describe('At most 50; 10 unless said otherwise').optional(),
  keyword_query: text.describe('Words to search instead, in the syntax of the index').optional(),
  project: text.describe('Only of this project').optional(),
  type: text.describe('Only of this type').optional(),
  tags: z
    .union([text, z.array(text)])
    .describe('Only with all of these')
    .optional(),
  who: text.describe('Who said it').optional(),
  since: text.describe('Written down from then on, as an ISO time').optional(),
  until: text.describe('Written down until then, as an ISO time').optional(),
  pinned: z.boolean().describe('Only pinned ones, or only others').optional(),
  importance_min: z.number().describe('Leave out what matters less, from 0 to 1').optional(),
  score_min: z.number().describe('Leave out what scores less, from 0 to 1').optional(),
  min_score: z.number().describe('The same as score_min').optional(),
  include_recalled: z.boolean().describe('Tell again what this session was told').optional(),
  aggregate: z.boolean().describe('Draw the results together').optional(),
  aggregate_budget: z
    .enum(['small', 'medium', 'large'])
    .describe('How many questions that may take; medium unless said otherwise')
    .optional(),
  save_aggregate: z
    .boolean()
    .describe('Remember what was drawn together, which needs the permission to')
    .optional(),
  session_key: text.describe('The session that asks: it is told nothing twice').optional(),
  agent_id: text.describe('The agent whose memories are searched').optional(),
  scope: z
    .enum(['global', 'agent', 'session'])
    .describe(
      'What is searched: all that the agent may read, unless said otherwise; its own memories alone; or what was kept in the session that asks',
    )
    .optional(),
  time: z.record(text, z.unknown()).describe('When it happened: {start, end, facets}').optional(),
})

/** How much of a memory's words a line shows; `memory_get` gives all of them. */
const shownCharacters = 240

export const recallTools: readonly Tool[] = [
  tool({
    ...{ name: 'memory_search', title: 'Search memory', effect: 'reads', route: 'recall.recall' },
    description:
      'Find what is remembered about a question: facts, preferences, decisions, events of earlier conversations. Best first, cut short; memory_get gives one whole.',
    input: asked,
    toRouteInput: ({ score_min, min_score, scope: within, ...body }, { project }) => ({
      body: { ...body, within, minScore: score_min ?? min_score },
      ...(project && { headers: { [projectHeader]: encodeURIComponent(project) } }),
    }),
    toText: (reply) => toBrief(reply as Recalled),
    toStructured: (reply) => ({ results: (reply as Recalled).results.map(toShort) }),
  }),
]

/** A row in brief, with the id that `memory_get` takes. */
function toShort({ id, subject_id = id, content, type, created_at, score }: ResultRow) {
  const words = content.replaceAll(/\s+/g, ' ')
  const shown =
    words.length > shownCharacters ? `${words.slice(0, shownCharacters).toWellFormed()}…` : words
  return { id: subject_id, content: shown, type, date: created_at.slice(0, 10), score }
}

function toBrief({ results, aggregate, meta: { dedupe, degradation } }: Recalled): string {
  const told = dedupe?.suppressed ? [`${dedupe.suppressed} were told in this session before.`] : []
  const less = degradation ? [`Answered without: ${degradation.stages.join(', ')}.`] : []
  const drawn = aggregate
    ? [`Not drawn together (${aggregate.budget}): ${aggregate.stoppedReason}.`]
    : []
  const rows = results.map(toShort).map(({ id, content, type, date, score }) => {
    return `- ${content}\n  (${id}, ${type}, ${date}, score ${score})`
  })
  return [
    ...(rows.length === 0 ? ['Nothing is remembered about this.'] : rows),
    ...told,
    ...less,
    ...drawn,
  ].join('\n')
}
