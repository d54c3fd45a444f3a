import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { busyWith } from '../progress.ts'
import type { Row } from '../render.ts'
import { renderPass } from '../render-dream.ts'

interface DreamOptions {
  readonly preview?: boolean
  readonly engine?: string
  readonly mode?: string
  readonly wait?: boolean
}

const pollMs = 300

export const runDream = command<DreamOptions>({
  usage: 'dream run',
  aliases: ['consolidate', 'dreaming'],
  summary: 'Read new memories and update the graph, and show what changed',
  options: [
    option('--preview', 'plan only: show what would change, and change nothing'),
    option('--engine <name>', 'auto, rules (no model) or model', {
      choices: ['auto', 'rules', 'model'],
    }),
    option('--mode <name>', 'incremental reads new evidence, compact the whole graph', {
      choices: ['incremental', 'compact'],
    }),
    option('--wait', 'show the progress, then the changes (default)'),
    option('--no-wait', 'return immediately'),
  ],
  examples: ['reverie dream --preview', 'reverie dream run', 'reverie dream run --engine rules'],
  run: dream,
})

async function dream({ options, output, connect }: Call<DreamOptions>): Promise<void> {
  const { preview = false, engine, mode, wait = true } = options
  const client = await connect()
  const body = { dryRun: preview, engine, mode }
  const started = Object(await client.call('POST /api/dream/trigger', { body })) as Row
  const passId = String(started['passId'])
  if (!wait)
    return output.result(started, () => `Started ${passId}\nShow it: reverie dream show ${passId}`)
  const reply = await busyWith(output, 'reading new evidence', () => follow(client, passId))
  output.result(reply, () => renderPass(reply))
  const { status, error } = Object(reply['pass'])
  if (status === 'failed')
    throw new CliError('fault', 'pass_failed', `the pass failed: ${error}`, 'Nothing was written.')
}

async function follow(client: Client, passId: string): Promise<Row> {
  for (;;) {
    const path = { passId }
    const reply = Object(await client.call('GET /api/dream/passes/:passId', { path })) as Row
    if (Object(reply['pass']).status !== 'running') return reply
    await pause(pollMs)
  }
}
