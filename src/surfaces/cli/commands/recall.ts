import type {
  AggregateOfRecall,
  RecallExplanation,
  RecalledEntity,
  RecalledRow,
} from '../../../client/wire.ts'
import { toCount } from '../../../kernel/errors/to-count.ts'
import { neutralize } from '../../../kernel/redaction/neutralize.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { colors, toLine } from '../output.ts'
import { toLocalDate } from '../times.ts'
import { limit, ofProject, ofType, since, until, withTags } from './memory-options.ts'

export interface RecallOptions {
  readonly limit?: number
  readonly project?: string
  readonly type?: string
  readonly tags?: string
  readonly who?: string
  readonly since?: string
  readonly until?: string
  readonly asOf?: string
  readonly at?: string
  readonly explain?: boolean
  readonly aggregate?: boolean
  readonly budget?: string
  readonly save?: boolean
}

export const recall = command<RecallOptions>({
  usage: 'recall <query>',
  aliases: ['search', 'find', 'query'],
  summary: 'Search memories',
  options: [
    limit,
    ofProject,
    ofType,
    withTags,
    option('--who <name>', 'filter by author'),
    since,
    until,
    option('--as-of <time>', 'search the memories that were valid at this time', { type: 'start' }),
    option('--at <time>', 'the time that words such as "yesterday" refer to', { type: 'start' }),
    option('--explain', 'show how each score was computed'),
    option('--aggregate', 'let a model write one answer from the memories'),
    option('--budget <size>', 'searches for the answer, with --aggregate', {
      choices: ['small', 'medium', 'large'],
    }),
    option('--save', 'save the answer as a memory, with --aggregate'),
  ],
  examples: [
    'reverie recall "when do we deploy?"',
    'reverie recall tea --limit 3 --json',
    'reverie recall deploy --since "2 weeks ago" --until yesterday',
    'reverie recall "how do we deploy?" --aggregate --budget large --save',
  ],
  run: search,
})

async function search({ args, options, output, connect }: Call<RecallOptions>): Promise<void> {
  const { limit, project, type, tags, who, since, until, asOf, at, explain } = options
  const { aggregate, budget, save } = options
  if (!aggregate && (save || budget !== undefined))
    throw new CliError(
      'usage',
      'usage',
      `${save ? '--save' : '--budget'} needs --aggregate`,
      'reverie recall --help',
    )
  const filters = { limit, project, type, tags, who, since, until }
  const synthesis = { aggregate, aggregateBudget: budget, saveAggregate: save }
  const times = { asOf, referenceTime: at }
  const body = { query: args[0] ?? '', ...filters, ...times, explain, ...synthesis }
  const timeoutMs = aggregate ? aggregateTimeoutMs : undefined
  const client = await connect()
  const reply = await client.call('POST /api/memory/recall', {
    body,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  output.result(reply, () => {
    const { aggregate, entities = [], meta, results } = reply
    if (results.length === 0)
      return [noMatch, ...(entities.length > 0 ? renderEntities(entities) : [])].join('\n')
    return [
      ...renderQuestion(meta.explain),
      ...(meta.confidence === 'low' ? [colors.yellow(weakMatch)] : []),
      ...results.map(renderHit),
      ...renderAggregate(aggregate),
    ].join('\n')
  })
}

const noMatch = 'No memory matches. Try fewer or other words.'

/** What the graph knows of the things that the query names. */
function renderEntities(entities: readonly RecalledEntity[]): string[] {
  return [
    colors.dim('The graph knows of:'),
    ...entities.flatMap(({ name, type, aspects }) => [
      `${colors.bold(toLine(name))} (${toLine(type)})`,
      ...aspects.flatMap(({ name: aspect, attributes }) =>
        attributes.map(({ content }) => `  ${colors.cyan(toLine(aspect))}  ${toLine(content)}`),
      ),
    ]),
  ]
}

/** Two calls of a model and several searches. */
const aggregateTimeoutMs = 90_000

const stopReasons: Readonly<Record<string, string>> = {
  router_unavailable: 'No model is available. See: reverie inference status',
  synthesis_failed: 'The model did not answer. See: reverie inference history --failures',
}

function renderAggregate(aggregate: AggregateOfRecall | undefined): string[] {
  if (!aggregate) return []
  const { stoppedReason, sourceMemoryIds, savedMemoryId, deduped, usage } = aggregate
  const problem = stopReasons[stoppedReason]
  if (problem) return [colors.yellow(problem)]
  const saved = savedMemoryId && `${deduped ? 'already saved' : 'saved'} as ${savedMemoryId}`
  const tokens = usage.inputTokens + usage.outputTokens
  const parts = [`from ${toCount(sourceMemoryIds.length, 'memory')}`, `${tokens} tokens`, saved]
  return [colors.dim(toLine(parts.filter(Boolean).join(' · ')))]
}

/** What the daemon read from the query. */
function renderQuestion(explain: RecallExplanation | undefined): string[] {
  if (!explain) return []
  const { corrections, translations, timeRange } = explain
  const lines = [
    ...corrections.map(
      ({ term, replacements }) => `${term} is searched as ${replacements.join(', ')}`,
    ),
    ...translations.map(({ term, replacements }) => `${term} means ${replacements.join(', ')}`),
  ]
  if (timeRange)
    lines.push(`the time is from ${timeRange.start ?? 'any'} to ${timeRange.end ?? 'any'}`)
  return lines.map((line) => colors.dim(toLine(line)))
}

const weakMatch = 'Weak match: the memories may not answer this.'

/** As wide as a score and what follows it. */
const margin = ' '.repeat(6)

function renderHit(row: RecalledRow): string {
  const { score, content, created_at, tags, outdated_by, explain } = row
  const outdated = outdated_by && `outdated by ${outdated_by}`
  const about = [...originOf(row), toLocalDate(created_at), tags, outdated]
    .filter(Boolean)
    .join(' · ')
  // No line of a memory looks like another hit.
  const text = neutralize(content).replaceAll('\n', `\n${margin}`)
  const hit = `${colors.cyan(score.toFixed(2))}  ${text}\n${margin}${colors.dim(toLine(about))}`
  const stages = (explain?.stages ?? []).map(
    ({ name, score, reason = '' }) =>
      `${margin}${score.toFixed(3)} ${name}  ${colors.dim(toLine(reason))}`,
  )
  const features = (explain?.confidence ?? []).map(
    ({ name, value, weight }) => `${name} ${value.toFixed(2)} × ${weight}`,
  )
  const confidence = features.length > 0 ? [`${margin}confidence  ${features.join(', ')}`] : []
  return [hit, ...stages, ...confidence].join('\n')
}

/** A memory has an id. A passage of a source has a path or an address. */
function originOf(row: RecalledRow): readonly unknown[] {
  const { type, source, who, source_path: path } = row
  if (type !== 'source_chunk') return [memoryIdOf(row), type]
  return source === 'source_import' ? [who] : [who, path]
}

/** What `show` takes; undefined if the row is a session or another result that is no memory. */
function memoryIdOf({ id, source, subject_type, subject_id }: RecalledRow): string | undefined {
  if (subject_type !== undefined) return subject_type === 'memory' ? subject_id : undefined
  return source === 'transcript' ? undefined : id
}
