import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import { type Call, command } from '../command.ts'
import { assertParentsAreMaps, parseSettings, readSettings } from '../settings-file.ts'

const path = ['memory', 'dreaming', 'enabled']

export const enableDreaming = command({
  usage: 'dream enable',
  summary: 'Run Dreaming in the background, after saying what it does and costs',
  examples: ['reverie dream enable'],
  run: (call) => turn(call, true),
})

export const disableDreaming = command({
  usage: 'dream disable',
  summary: 'Stop Dreaming; what it has written stays and can be undone',
  examples: ['reverie dream disable'],
  run: (call) => turn(call, false),
})

async function turn({ output, connect }: Call, enabled: boolean): Promise<void> {
  const client = await connect()
  const settings = await readSettings(client)
  const document = parseSettings(settings)
  assertParentsAreMaps(document, path)
  document.setIn(path, enabled)
  const body = { file: settings.name, content: document.toString() }
  await client.call('POST /api/config', { body })
  const status = await readStatusAfter(client, enabled)
  const { episodicTokensPending, engine, budget } = status
  output.result({ enabled, engine, episodicTokensPending }, () =>
    enabled
      ? describe({ tokens: episodicTokensPending, engine, budget })
      : 'Dreaming is disabled. Undo a pass with: reverie dream undo PASS',
  )
}

const pollMs = 200
const maxPolls = 25

/** The daemon reads the changed file a moment later. */
async function readStatusAfter(client: Client, enabled: boolean) {
  for (let polls = 1; ; polls++) {
    const status = Object(await client.call('GET /api/dream/status'))
    if (status.enabled === enabled || polls >= maxPolls) return status
    await pause(pollMs)
  }
}

interface Described {
  readonly tokens: unknown
  readonly engine: unknown
  readonly budget: unknown
}

function describe({ tokens, engine, budget }: Described): string {
  const { effective } = Object(engine)
  const { limits } = Object(Object(budget).day)
  const cost =
    effective === 'model'
      ? `It calls a model for at most $${limits.cost} and ${limits.tokens} tokens in 24 hours.`
      : 'It calls no model and costs nothing.'
  return [
    'Dreaming is enabled: it reads new memories and ended sessions and updates the graph.',
    `${tokens} tokens wait. ${cost}`,
    'Every change cites its quote. See each pass: reverie dream passes. Undo one: reverie dream undo PASS',
  ].join('\n')
}
