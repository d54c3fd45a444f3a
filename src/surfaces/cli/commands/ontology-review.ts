import type { Client } from '../../../client/client.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { type DryRunOptions, dryRun, renderChange, showChange } from '../graph-changes.ts'
import { nameMissing, resolveId } from '../ids.ts'
import { colors } from '../output.ts'
import type { Row } from '../render.ts'

const proposals = 'GET /api/ontology/proposals'
const subject = { noun: 'proposal', list: 'reverie ontology proposals' }

function resolveProposal(client: Client, id: string): Promise<string> {
  return resolveId(client, id, { route: proposals, subject })
}

export const applyProposals = command<DryRunOptions>({
  usage: 'ontology apply <ids...>',
  summary: 'Apply pending proposals',
  options: [dryRun],
  examples: ['reverie ontology apply 0195f3a0 --dry-run', 'reverie ontology apply 0195f3a0'],
  run: apply,
})

/** All ids are resolved before the first proposal is applied. */
async function apply({ args, options, output, connect }: Call<DryRunOptions>): Promise<void> {
  const client = await connect()
  const ids = new Set<string>()
  for (const text of args) ids.add(await resolveProposal(client, text))
  const send = (id: string) =>
    client.call('POST /api/ontology/proposals/:id/apply', {
      path: { id },
      body: { dry_run: options.dryRun },
    })
  const [first = '', ...others] = ids
  if (others.length === 0) {
    const reply = Object(await nameMissing(first, send(first), subject)) as Row
    return showChange(output, reply, `Applied ${reply['operation']}`)
  }
  const results: Row[] = []
  for (const id of ids) results.push(await toResult(id, send(id)))
  const failed = results.filter(({ error }) => error !== undefined).length
  const applied = options.dryRun ? 0 : results.length - failed
  output.result({ requested: results.length, applied, results }, () =>
    results.map(renderResult).join('\n'),
  )
  if (failed === 0) return
  const message = `${failed} of ${results.length} proposals were not applied`
  throw new CliError('conflict', 'not_all_applied', message, 'Show one: reverie ontology show ID')
}

/** A refusal of one proposal does not stop the others. */
async function toResult(id: string, reply: Promise<unknown>): Promise<Row> {
  try {
    return Object(await reply) as Row
  } catch (error) {
    if (!(error instanceof ReverieError && error.status !== null)) throw error
    return { id, error: error.message, code: error.code }
  }
}

function renderResult(result: Row): string {
  const { id, error, operation } = result
  if (error !== undefined) return `${colors.red('✗')} ${id}: ${error}`
  return renderChange(result, `Applied ${operation}`)
}

interface UndoOptions extends DryRunOptions {
  readonly batch?: boolean
  readonly reason?: string
}

export const undoOperation = command<UndoOptions>({
  usage: 'ontology undo <id>',
  summary: 'Undo an applied operation, or a whole batch',
  options: [
    option('--batch', 'the id is that of a batch: undo all its operations'),
    option('--reason <text>', 'reason for the history'),
    dryRun,
  ],
  examples: ['reverie ontology undo 0195f3a0 --dry-run', 'reverie ontology undo 0195f3a0'],
  run: undo,
})

async function undo({ args, options, output, connect }: Call<UndoOptions>): Promise<void> {
  const [text = ''] = args
  const { batch, reason, dryRun: dry_run } = options
  const client = await connect()
  const body = { reason, dry_run }
  const send = async () => {
    if (batch)
      return client.call('POST /api/ontology/operations/undo', {
        body: { ...body, batch_id: text },
      })
    const id = await resolveProposal(client, text)
    return client.call('POST /api/ontology/proposals/:id/undo', { path: { id }, body })
  }
  const reply = Object(await nameMissing(text, send(), subject)) as Row
  const { length } = [reply['undoneIds']].flat()
  showChange(output, reply, `Undone: ${length} ${length === 1 ? 'operation' : 'operations'}`)
}
