import type { Client } from '../../../client/client.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import type { ForgetPreview, ForgottenMany, MemoryRow } from '../../../client/wire.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { nameMissing, resolveId } from '../ids.ts'
import { colors, type Output } from '../output.ts'
import { eachConcurrently } from '../progress.ts'
import { type ConfirmOptions, confirm, type ReasonOptions, requireReason } from '../prompts.ts'
import { renderMemories } from './list.ts'
import { reason } from './memory-options.ts'
import { showChanged } from './update.ts'

interface ForgetOptions extends ReasonOptions, ConfirmOptions {
  readonly force?: boolean
  readonly query?: string
  readonly limit?: number
}

type Result = ForgottenMany['results'][number]

const readConcurrency = 8

export const forget = command<ForgetOptions>({
  usage: 'forget [ids...]',
  aliases: ['delete', 'remove', 'rm'],
  summary: 'Delete memories; they can be recovered for 30 days',
  options: [
    reason,
    option('--force', 'delete pinned memories too'),
    option('--query <query>', 'delete the memories that match, after a preview'),
    option('--limit <n>', 'with --query: maximum number of memories, 20 by default', {
      type: 'count',
    }),
    option('--yes', 'with --query: skip the confirmation'),
  ],
  examples: [
    'reverie forget 0195f3a0 --reason "no longer true"',
    'reverie forget 0195f3a0 0195f4b1',
    'reverie forget --query "old office" --reason "we moved" --yes',
  ],
  run: forgetMemories,
})

async function forgetMemories(call: Call<ForgetOptions>): Promise<void> {
  const { args, options } = call
  if ((args.length === 0) === (options.query === undefined))
    throw new CliError('usage', 'usage', 'pass either ids or --query', 'reverie forget --help')
  await (options.query === undefined ? forgetByIds(call) : forgetByQuery(call))
}

/** All ids are resolved before the first memory is forgotten. */
async function forgetByIds(call: Call<ForgetOptions>): Promise<void> {
  const { args, options, output, connect } = call
  const query = { reason: requireReason(call), force: options.force }
  const client = await connect()
  const ids = new Set<string>()
  for (const text of args) ids.add(await resolveId(client, text))
  const [first = '', ...others] = ids
  const forget = (id: string) => client.call('DELETE /api/memory/:id', { path: { id }, query })
  if (others.length === 0) {
    const reply = await nameMissing(args[0] ?? '', forget(first))
    return showChanged(output, reply, 'Forgotten; it can be recovered for 30 days')
  }
  const results: Result[] = []
  for (const id of ids) results.push(await toResult(id, forget(id)))
  showResults(output, results)
}

/** A refusal of one memory does not stop the others. */
async function toResult(id: string, reply: Promise<Result>): Promise<Result> {
  try {
    return await reply
  } catch (error) {
    if (error instanceof ReverieError && error.status !== null) return { id, status: error.code }
    throw error
  }
}

async function forgetByQuery(call: Call<ForgetOptions>): Promise<void> {
  const { options, output, connect } = call
  const { query, limit, force } = options
  const reason = requireReason(call)
  const client = await connect()
  const preview = (await client.call('POST /api/memory/forget', {
    body: { query, limit, mode: 'preview' },
  })) as ForgetPreview
  const ids = preview.candidates.map(({ id }) => id)
  if (ids.length === 0) return showResults(output, [])
  output.note(renderMemories(await readAll(client, ids)))
  await confirm(call, {
    message: `Forget ${ids.length === 1 ? 'this memory' : `these ${ids.length} memories`}?`,
    refusal: `${ids.length === 1 ? '1 memory matches' : `${ids.length} memories match`}; nothing was forgotten`,
    hint: 'Forget them with --yes.',
    declined: 'nothing was forgotten',
  })
  const selection = { ids, limit: ids.length, confirm_token: preview.confirmToken }
  const { results } = (await client.call('POST /api/memory/forget', {
    body: { ...selection, mode: 'execute', reason, force },
  })) as ForgottenMany
  showResults(output, results)
}

/** In the order of the ids. */
async function readAll(client: Client, ids: readonly string[]): Promise<MemoryRow[]> {
  const rows = new Map<string, MemoryRow>()
  await eachConcurrently(ids, readConcurrency, async (id) => {
    rows.set(id, await client.call('GET /api/memory/:id', { path: { id } }))
  })
  return ids.flatMap((id) => rows.get(id) ?? [])
}

function showResults(output: Output, results: readonly Result[]): void {
  const failed = results.filter(({ status }) => status !== 'deleted')
  const deleted = results.length - failed.length
  const lines = results.map(({ id, status }) =>
    status === 'deleted' ? `${colors.green('✓')} ${id}` : `${colors.red('✗')} ${id}: ${status}`,
  )
  const title =
    results.length === 0
      ? 'Nothing matches.'
      : `${deleted} forgotten; they can be recovered for 30 days`
  output.result({ requested: results.length, deleted, results }, () => [...lines, title].join('\n'))
  if (failed.length === 0) return
  const isPinned = failed.some(({ status }) => status === 'pinned_requires_force')
  throw new CliError(
    'conflict',
    'not_all_forgotten',
    `${failed.length} of ${results.length} memories were not forgotten`,
    isPinned ? 'Forget pinned ones with --force.' : undefined,
  )
}
