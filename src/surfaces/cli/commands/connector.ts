import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import { toCount } from '../../../kernel/errors/to-count.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { resolveId } from '../ids.ts'
import { colors, toLine } from '../output.ts'
import { busyWith } from '../progress.ts'

interface AddOptions {
  readonly glob?: string[]
  readonly name?: string
  readonly project?: string
  /** False with `--no-wait`. */
  readonly wait: boolean
}

interface SyncOptions {
  readonly full?: boolean
  readonly wait: boolean
}

interface Health {
  readonly id: string
  readonly status: string
  readonly lastSyncAt: string | null
  readonly lastError: string | null
  readonly documentCount: number
}

const pollMs = 250
const noWait = option('--no-wait', 'return immediately; the daemon reads the files')

export const addConnector = command<AddOptions>({
  usage: 'connector add <path>',
  summary: 'Add a folder whose files become documents, and read it',
  options: [
    option('--glob <globs...>', 'files that are read; default: **/*.md and **/*.txt'),
    option('--name <name>', 'name of the connector in lists'),
    option('--project <project>', 'project of the documents'),
    noWait,
  ],
  examples: ['reverie connector add .', 'reverie connector add . --glob "**/*.pdf" --no-wait'],
  run: add,
})

export const syncConnector = command<SyncOptions>({
  usage: 'connector sync <id>',
  summary: 'Read the new and changed files of a connector',
  options: [
    option('--full', 'read every file again, and delete the documents of files that are gone'),
    noWait,
  ],
  examples: ['reverie connector sync 0195f3a0', 'reverie connector sync 0195f3a0 --full'],
  run: sync,
})

async function add(call: Call<AddOptions>): Promise<void> {
  const { args, options, connect } = call
  const [path = ''] = args
  const { glob, name, project, wait } = options
  const rootPath = /^~(?:$|\/)/.test(path) ? path : resolve(path)
  const settings = { rootPath, ...(glob && { glob }), ...(project && { project }) }
  const client = await connect()
  const body = { provider: 'filesystem', displayName: name ?? toLine(rootPath, 200), settings }
  const { id } = Object(await client.call('POST /api/connectors', { body })) as Pick<Health, 'id'>
  call.output.note(`${colors.green('✓')} Added ${toLine(rootPath)} (${id})`)
  if (!glob) call.output.note('  It reads **/*.md and **/*.txt; --glob "**/*" reads all files')
  await client.call('POST /api/connectors/:id/sync', { path: { id } })
  await finish(call, client, { id, wait })
}

async function sync(call: Call<SyncOptions>): Promise<void> {
  const { args, options, connect } = call
  const client = await connect()
  const subject = { noun: 'connector', list: 'reverie connectors' }
  const id = await resolveId(client, args[0] ?? '', { route: 'GET /api/connectors', subject })
  if (options.full)
    await client.call('POST /api/connectors/:id/sync/full', {
      path: { id },
      query: { confirm: true },
    })
  else await client.call('POST /api/connectors/:id/sync', { path: { id } })
  await finish(call, client, { id, wait: options.wait })
}

async function finish(
  { output }: Pick<Call, 'output'>,
  client: Client,
  { id, wait }: { readonly id: string; readonly wait: boolean },
): Promise<void> {
  const read = async () =>
    (await client.call('GET /api/connectors/:id/health', { path: { id } })) as Health
  const health = wait ? await busyWith(output, 'Reading files', () => waitFor(read)) : await read()
  output.result(health, () => render(health))
  if (health.status === 'error')
    throw new CliError(
      'fault',
      'sync_failed',
      health.lastError ?? 'The sync failed.',
      'Correct the cause, then run: reverie connector sync ID',
    )
}

async function waitFor(read: () => Promise<Health>): Promise<Health> {
  for (;;) {
    const health = await read()
    if (health.status !== 'syncing') return health
    await sleep(pollMs)
  }
}

function render({ status, documentCount, lastError }: Health): string {
  const mark = status === 'idle' ? colors.green('✓') : colors.yellow('!')
  const note = lastError === null ? '' : `\n  ${toLine(lastError, 300)}`
  return `${mark} ${status}, ${toCount(documentCount, 'document')}${note}`
}
