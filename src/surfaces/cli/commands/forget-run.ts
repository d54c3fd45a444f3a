import type { Client } from '../../../client/client.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import type { ForgottenMany, MemoryRow } from '../../../client/wire.ts'
import { colors } from '../colors.ts'
import type { Call } from '../command.ts'
import { eachConcurrently } from '../each-concurrently.ts'
import { CliError } from '../failure.ts'
import { nameMemory, resolveId } from '../memory-id.ts'
import type { Output } from '../output.ts'
import { type Reason, requireReason } from '../reason.ts'
import { renderRows } from './list-run.ts'
import { showChanged } from './memory-run.ts'

export interface ForgetOptions extends Reason {
  readonly force?: boolean
  readonly query?: string
  readonly limit?: number
  readonly yes?: boolean
}

type Result = ForgottenMany['results'][number]

const readConcurrency = 8

export async function forget(call: Call<ForgetOptions>): Promise<void> {
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
  if (others.length === 0)
    return showChanged(output, await nameMemory(args[0] ?? '', client.memory.forget(first, query)))
  const results: Result[] = []
  for (const id of ids) results.push(await toResult(id, client.memory.forget(id, query)))
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
  const preview = await client.memory.previewForget({ query, limit })
  const ids = preview.candidates.map(({ id }) => id)
  if (ids.length === 0) return showResults(output, [])
  output.note(renderRows(await readAll(client, ids)))
  await confirm(call, ids.length)
  const selection = { ids, limit: ids.length, confirm_token: preview.confirmToken }
  const { results } = await client.memory.forgetMany({ ...selection, reason, force })
  showResults(output, results)
}

/** In the order of the ids. */
async function readAll({ memory }: Client, ids: readonly string[]): Promise<MemoryRow[]> {
  const rows = new Map<string, MemoryRow>()
  await eachConcurrently(ids, readConcurrency, async (id) => {
    rows.set(id, await memory.read(id))
  })
  return ids.flatMap((id) => rows.get(id) ?? [])
}

async function confirm(
  { options, environment, output }: Call<ForgetOptions>,
  count: number,
): Promise<void> {
  if (options.yes) return
  if (!environment.isTerminal || output.json)
    throw new CliError(
      'usage',
      'not_confirmed',
      `${count} memories match; nothing was forgotten`,
      'Forget them with --yes.',
    )
  const { confirm: ask } = await import('@clack/prompts')
  const message = `Forget ${count === 1 ? 'this memory' : `these ${count} memories`}?`
  const answer = await ask({ message, initialValue: false, output: process.stderr })
  if (answer !== true) throw new CliError('refused', 'declined', 'nothing was forgotten')
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
