import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import type { EmbeddingsHealth, EmbeddingsProgress } from '../../../client/wire.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { colors, type Output, toLine } from '../output.ts'
import { showProgress } from '../progress.ts'

const pollMs = 500
/** Unchanged polls in a row after which the backfill counts as stalled. */
const maxPollsWithoutProgress = 120

interface BackfillOptions {
  readonly wait: boolean
}

export const audit = command({
  usage: 'embed audit',
  aliases: ['embeddings', 'vectors'],
  summary: 'Check the vectors',
  examples: ['reverie embed audit', 'reverie embed audit --json'],
  run: showAudit,
})

export const backfill = command<BackfillOptions>({
  usage: 'embed backfill',
  summary: 'Create missing vectors, and wait until they are complete',
  options: [option('--no-wait', 'return immediately')],
  examples: ['reverie embed backfill', 'reverie embed backfill --no-wait'],
  run: startBackfill,
})

async function showAudit({ output, connect }: Call): Promise<void> {
  const client = await connect()
  const [health, { tracker }] = await Promise.all([
    client.call('GET /api/embeddings/health'),
    client.call('GET /api/embeddings/status'),
  ])
  output.result({ ...health, tracker }, () => renderHealth(health, tracker))
}

/** Reports rejected texts without failing. */
async function startBackfill({ options, output, connect }: Call<BackfillOptions>): Promise<void> {
  const client = await connect()
  const { tracker: initial } = await client.call('POST /api/embeddings/backfill')
  const tracker = options.wait ? await followEmbedding(client, output, initial) : initial
  output.result(tracker, () => renderProgress(tracker))
  if (tracker.state === 'waiting')
    throw new CliError(
      'busy',
      'provider_unavailable',
      tracker.error ?? 'the provider does not reply',
    )
}

/** Shows the progress until it is done; by default when no vector is missing. */
export async function followEmbedding(
  client: Client,
  output: Output,
  initial: EmbeddingsProgress,
  isDone = ({ state }: EmbeddingsProgress) => state !== 'running',
): Promise<EmbeddingsProgress> {
  const progress = await showProgress(output, 'Embedding', initial.total)
  progress.advance(initial.embedded)
  let last = initial
  try {
    for (let still = 0; !isDone(last) && still < maxPollsWithoutProgress; still += 1) {
      await pause(pollMs)
      const { tracker } = await client.call('GET /api/embeddings/status')
      if (tracker.embedded !== last.embedded) still = 0
      progress.advance(Math.max(0, tracker.embedded - last.embedded))
      last = tracker
    }
    return last
  } finally {
    progress.stop()
  }
}

function renderHealth({ status, coverage, checks }: EmbeddingsHealth, tracker: EmbeddingsProgress) {
  const lines = checks.map(({ status, name, message, fix }) => {
    const line = `${marks[status] ?? '?'} ${name.padEnd(20)} ${toLine(message)}`
    return fix === undefined ? line : `${line}\n  ${colors.dim(`→ ${fix}`)}`
  })
  return [`${status}, ${coverage} % have a vector`, ...lines, renderProgress(tracker)].join('\n')
}

function renderProgress({ state, total, embedded, refused, active, building }: EmbeddingsProgress) {
  const parts = [
    `${state}: ${embedded} of ${total}`,
    refused > 0 && `${refused} rejected`,
    active !== null && `provider ${active}`,
    building !== null && `building ${building}`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

const marks: Readonly<Record<string, string>> = {
  ok: colors.green('✓'),
  warn: colors.yellow('!'),
  fail: colors.red('✗'),
}
