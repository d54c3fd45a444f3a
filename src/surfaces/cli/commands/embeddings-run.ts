import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import type { EmbeddingsHealth, EmbeddingsProgress } from '../../../client/wire.ts'
import { colors } from '../colors.ts'
import type { Call } from '../command.ts'
import { CliError } from '../failure.ts'
import { type Output, toLine } from '../output.ts'
import { showProgress } from '../progress.ts'

const pollMs = 500
/** So often in a row the same number may be told before it counts as standing still. */
const maxPollsWithoutProgress = 120

export interface BackfillOptions {
  readonly wait: boolean
}

export async function audit({ output, connect }: Call): Promise<void> {
  const { embeddings } = await connect()
  const [health, { tracker }] = await Promise.all([embeddings.health(), embeddings.status()])
  output.result({ ...health, tracker }, () => renderHealth(health, tracker))
}

/** What the provider will not have is told, and is no reason to fail. */
export async function backfill({ options, output, connect }: Call<BackfillOptions>): Promise<void> {
  const client = await connect()
  const { tracker: initial } = await client.embeddings.backfill()
  const tracker = options.wait ? await follow(client, output, initial) : initial
  output.result(tracker, () => renderProgress(tracker))
  if (tracker.state === 'waiting')
    throw new CliError(
      'busy',
      'provider_unavailable',
      tracker.error ?? 'the provider does not reply',
    )
}

async function follow(
  { embeddings }: Client,
  output: Output,
  begun: EmbeddingsProgress,
): Promise<EmbeddingsProgress> {
  const progress = await showProgress(output, 'Embedding', begun.total)
  progress.advance(begun.embedded)
  let last = begun
  try {
    for (let still = 0; last.state === 'running' && still < maxPollsWithoutProgress; still += 1) {
      await pause(pollMs)
      const { tracker } = await embeddings.status()
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
