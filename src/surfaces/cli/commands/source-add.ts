import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../../client/client.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { withInterrupt } from '../interrupt.ts'
import { colors, type Output, toLine } from '../output.ts'
import { showProgress } from '../progress.ts'
import { type AddOptions, sendSource } from '../source-kinds.ts'

interface Job {
  readonly sourceId: string
  readonly status: string
  readonly scanned: number
  readonly total: number
  readonly indexed: number
  readonly statusMessage?: string | undefined
  readonly error?: string | undefined
}

const pollMs = 300

export const addSource = command<AddOptions>({
  usage: 'source add <kind> [target...]',
  summary:
    'Add a source, and index it: vault FOLDER, web URL, github OWNER/NAME..., notion SECRET or discord SERVER-ID...',
  options: [
    option('--name <name>', 'name of the source in lists and results'),
    option('--exclude <globs...>', 'vault: paths that are not read, such as "drafts/**"'),
    option(
      '--max-pages <count>',
      'web, notion: maximum pages; of a web page, more than 1 follows links',
      {
        type: 'count',
      },
    ),
    option('--token <name>', 'the name of the secret that holds the token'),
    option('--types <types...>', 'github: issues, pulls, discussions, docs'),
    option('--state <state>', 'github: state of the issues', {
      choices: ['open', 'closed', 'all'],
    }),
    option('--labels <labels...>', 'github: issues with all these labels only'),
    option('--docs <paths...>', 'github: Markdown files, such as "docs/**/*.md"'),
    option('--max-items <count>', 'github: maximum items of a repository', { type: 'count' }),
    option('--no-comments', 'github: leave comments out'),
    option('--channels <names...>', 'discord: names or ids of channels; default all'),
    option('--max-messages <count>', 'discord: maximum messages of a channel', { type: 'count' }),
    option('--since <time>', 'discord: no older messages', { type: 'start' }),
    option(
      '--mode <mode>',
      'discord: gateway-tail follows the events of the servers, without an end; desktop-cache reads the messages that the desktop app has shown',
      {
        choices: ['rest', 'gateway-tail', 'desktop-cache'],
      },
    ),
    option('--cache-folder <folder>', 'discord: data folder of the desktop app, for desktop-cache'),
    option('--full-scan', 'discord: read all files of the cache in each run, for desktop-cache'),
    option('--attachment-text', 'discord: read attachments that are text'),
    option('--no-wait', 'return immediately; the daemon indexes in the background'),
  ],
  examples: [
    'reverie source add vault .',
    'reverie source add vault . --name Notes --no-wait',
    'reverie source add web https://docs.example.org/guide/ --max-pages 50 --no-wait',
    'reverie source add github owner/name --token HOST_TOKEN --no-wait',
    'reverie source add notion WIKI_TOKEN --no-wait',
    'reverie source add discord 100000000000000001 --token BOT_TOKEN --no-wait',
    'reverie source add discord 100000000000000001 --token BOT_TOKEN --mode gateway-tail',
    'reverie source add discord --mode desktop-cache --cache-folder ~/.config/discord --no-wait',
  ],
  run: add,
})

async function add(call: Call<AddOptions>): Promise<void> {
  const { args, options, output, connect } = call
  const [kind = '', ...targets] = args
  const client = await connect()
  const { source, created, job: queued } = await sendSource(client, { kind, targets, options })
  const id = toLine(source.id)
  output.note(
    `${colors.green('✓')} ${created ? 'Added' : 'Updated'} ${toLine(source.name)} (${id})`,
  )
  const isEndless = options.mode === 'gateway-tail'
  const job = options.wait && !isEndless ? await follow(client, output, queued) : queued
  output.result({ source, created, job }, () => renderJob(job))
  if (job.status === 'failed')
    throw new CliError(
      'fault',
      'source_failed',
      job.error ?? 'The run failed.',
      `See reverie source health ${id}.`,
    )
}

/** Ctrl-C ends the command alone. */
async function follow(client: Client, output: Output, queuedJob: Job): Promise<Job> {
  const { sourceId } = queuedJob
  let job = queuedJob
  const note = `The daemon continues. See reverie source show ${toLine(sourceId)}.`
  await withInterrupt(async (signal) => {
    signal.addEventListener('abort', () => output.note(note))
    const progress = await showProgress(output, 'Indexing', 0)
    try {
      while (job.status === 'queued' || job.status === 'running') {
        await pause(pollMs, undefined, { signal })
        const { source } = await client.call('GET /api/sources/:sourceId', { path: { sourceId } })
        progress.advance(Math.max(0, (source.indexJob?.scanned ?? 0) - job.scanned))
        job = source.indexJob ?? job
      }
    } finally {
      progress.stop()
    }
  })
  return job
}

export function renderJob({ status, scanned, total, indexed, statusMessage, error }: Job): string {
  const counts = `${scanned} of ${total} read, ${indexed} indexed`
  const reason = error ?? statusMessage
  return `${status}: ${counts}${reason === undefined ? '' : `\n${toLine(reason, 300)}`}`
}
