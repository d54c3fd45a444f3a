import { toCount } from '../../kernel/errors/to-count.ts'
import { colors, toLine } from './output.ts'
import { type Columns, type Row, renderDetail, toRows } from './render.ts'

export const passColumns: Columns = {
  id: 'id',
  started: 'startedAt',
  mode: 'mode',
  status: ({ status, disposition }) =>
    status === 'completed' && disposition !== 'none' ? disposition : status,
  sources: 'sources',
  applied: 'mutationsApplied',
  failed: 'mutationsFailed',
  tokens: 'tokensConsumed',
  summary: ({ summary, error }) => toLine(String(error ?? summary ?? ''), 60),
}

const maxQuoteLength = 160

/** What was left out: a noun that is counted, and what stands behind it. */
const reasons: Readonly<Record<string, readonly [noun: string, rest?: string]>> = {
  noSubject: ['sentence', 'without a known person or project'],
  unknownSpeaker: ['sentence', 'with “I” in a text without the name of its author'],
  noStatement: ['sentence', 'without a statement that the rules read'],
  question: ['question'],
  hypothesis: ['sentence', 'with a condition or a guess'],
  plan: ['plan'],
  past: ['sentence', 'about the past'],
  ago: ['sentence', 'about the past'],
  reported: ['reported statement'],
  fiction: ['sentence', 'of fiction or of an example'],
  joke: ['joke'],
  denial: ['denial'],
  negation: ['negation'],
  approximate: ['vague sentence'],
  context: ['sentence', 'that the previous or next one revokes'],
  quoted: ['passage', 'of quoted text'],
  hostile: ['passage', 'addressed to the memory itself'],
  assistant: ['turn', 'of an assistant'],
}

function renderReason(reason: string, count: number): string {
  const [noun, rest] = reasons[reason] ?? []
  if (noun === undefined) return `${count} ${reason}`
  return [toCount(count, noun), rest].filter((part) => part !== undefined).join(' ')
}

const readableExamples = `The rules read statements about a named person or project, for example:
  I live in Porto.   (by an author: reverie remember … --who "Ines Calloway")
  Ines Calloway works at Northwind.
  Project Heron is deployed on Nordhost.
  The billing service runs on port 8080.
More: docs/dreaming.md`

/** A pass with its operations as a diff: the slot, the values before and after, and the quote. */
export function renderPass({ pass, operations, skipped, window }: Row): string {
  const { id, status, disposition, summary, error, tokensConsumed } = Object(pass)
  const head = `${colors.bold(String(id))} ${status}${disposition === 'none' ? '' : `, ${disposition}`}`
  const lines = toRows(operations).map(renderOperation)
  const left = Object.entries(Object(skipped)).map(([reason, count]) =>
    renderReason(reason, Number(count)),
  )
  const sources = toRows(Object(window).sources)
  return [
    head,
    toLine(String(error ?? summary ?? '')),
    ...(Number(tokensConsumed) > 0 ? [`${tokensConsumed} tokens`] : []),
    ...(lines.length > 0 ? ['', lines.join('\n')] : []),
    ...(left.length > 0 ? ['', colors.dim(`left out: ${left.join(', ')}`)] : []),
    ...(lines.length === 0 && sources.length > 0 ? ['', readableExamples] : []),
    ...hintOf(String(id), String(disposition)),
  ].join('\n')
}

function hintOf(id: string, disposition: string): string[] {
  if (disposition === 'planned' || disposition === 'partly_applied')
    return [
      '',
      `Apply it: reverie dream apply ${id}`,
      `Reject it: reverie dream discard ${id} --only 0`,
    ]
  return disposition === 'applied' ? ['', `Undo it: reverie dream undo ${id}`] : []
}

/** `+` adds a value, `~` changes one, `-` ends one. */
function renderOperation(item: Row): string {
  const { position, subject, slot, before, after, operation, state, error, evidence } = item
  const sign = after === null ? '-' : before === null ? '+' : '~'
  const color = { '-': colors.red, '+': colors.green, '~': colors.yellow }[sign]
  const values = [before, after]
    .filter((value) => typeof value === 'string')
    .map((value) => toLine(String(value), 80))
  const what = values.length > 0 ? values.join(' → ') : String(operation)
  const name = [subject, slot]
    .filter((part) => part !== null && part !== '')
    .map((part) => toLine(String(part), 60))
  const suffix = state === 'planned' || state === 'applied' ? '' : ` [${state}]`
  const sources = toRows(evidence).map(({ sourceKind, sourceId, quote }) => {
    const words = toLine(String(quote), maxQuoteLength)
    return colors.dim(`      “${words}” ${sourceKind}:${toLine(String(sourceId), 60)}`)
  })
  const reason = error === null ? [] : [colors.dim(`      ${toLine(String(error), 200)}`)]
  return [
    `${String(position).padStart(3)} ${color(sign)} ${name.join(' · ')}: ${what}${suffix}`,
    ...sources,
    ...reason,
  ].join('\n')
}

export function renderDreamStatus(status: Row): string {
  const { enabled, blockedBy, episodicTokensPending, backlog, engine, budget, plans } = status
  const { day } = Object(budget)
  const { sources, oldestAt } = Object(backlog)
  const { effective, configured, modelReady } = Object(engine)
  const { haltedUntil } = Object(status['schedule'])
  const { consecutiveFailures, lastPassAt } = Object(status['state'])
  return renderDetail({
    enabled,
    blockedBy,
    engine: effective === configured ? effective : `${configured}, now ${effective}`,
    modelReady,
    newEvidence: `${toCount(sources, 'source')}, ${toCount(Number(episodicTokensPending), 'token')}`,
    oldest: oldestAt,
    lastPass: lastPassAt,
    failures: consecutiveFailures,
    haltedUntil,
    plansToDecide: plans,
    attention: toRows(status['attention']).length,
    excluded: toRows(status['exclusions']).length,
    tokensToday: `${day.tokens} of ${day.limits.tokens}`,
    costToday: day.costKnown ? `$${day.cost} of $${day.limits.cost}` : 'unknown',
  })
}

const percent = (rate: unknown) =>
  typeof rate === 'number' ? `${Math.round(rate * 1000) / 10} %` : '–'

export function renderQuality(report: Row): string {
  const { citationCoverage, graphGarbageRate, structureQuality, claims, undoneShare } = report
  const { rate, valuesWithResolvedEpisodicQuote, totalClaimValues } = Object(citationCoverage)
  const garbage = Object(graphGarbageRate)
  const structure = Object(structureQuality)
  const undone = Object(undoneShare)
  const { rules, model, other } = Object(Object(claims).byOrigin)
  return renderDetail({
    cited: `${percent(rate)} (${valuesWithResolvedEpisodicQuote} of ${totalClaimValues} values)`,
    writtenBy: `rules ${rules}, model ${model}, others ${other}`,
    badNames: `${percent(garbage.rate)} (${garbage.garbageEntities} of ${garbage.totalEntities} entities)`,
    unknownTypes: percent(structure.unknownEntityTypeRate),
    genericAspects: percent(structure.genericAspectRate),
    undone: `${percent(undone.rate)} (${undone.removed} of ${undone.applied} operations in 90 days)`,
  })
}
