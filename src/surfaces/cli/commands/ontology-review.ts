import type { Client } from '../../../client/client.ts'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { type DryRunOptions, dryRun, renderChange, showChange } from '../graph-changes.ts'
import { nameMissing, resolveId } from '../ids.ts'
import { colors } from '../output.ts'
import type { Row } from '../render.ts'
import {
  type ApplyAllOptions,
  applyAll,
  applyAllOptions,
  assertSelection,
  renderAll,
} from './ontology-apply-all.ts'

const proposals = 'GET /api/ontology/proposals'
const subject = { noun: 'proposal', list: 'reverie ontology proposals' }

function resolveProposal(client: Client, id: string): Promise<string> {
  return resolveId(client, id, { route: proposals, subject })
}

export const applyProposals = command<ApplyAllOptions>({
  usage: 'ontology apply [ids...]',
  summary: 'Apply pending proposals',
  options: [...applyAllOptions, dryRun],
  examples: [
    'reverie ontology apply 0195f3a0 --dry-run',
    'reverie ontology apply 0195f3a0',
    'reverie ontology apply --all --entity Atlas --dry-run',
    'reverie ontology apply --all --operation create_entity --yes',
  ],
  run: apply,
})

async function apply(call: Call<ApplyAllOptions>): Promise<void> {
  const { options } = call
  assertSelection(call)
  const sendOne = (client: Client, id: string) =>
    client.call('POST /api/ontology/proposals/:id/apply', {
      path: { id },
      body: { dry_run: options.dryRun },
    })
  if (!options.all) return applyByIds(call, sendOne)
  const results = await applyAll(call, (client, id) => toResult(id, sendOne(client, id)))
  showResults(call, results, () => renderAll(results, options.dryRun))
}

/** All ids are resolved before the first proposal is applied. */
async function applyByIds(
  call: Call<ApplyAllOptions>,
  send: (client: Client, id: string) => Promise<unknown>,
): Promise<void> {
  const client = await call.connect()
  const ids = new Set<string>()
  for (const text of call.args) ids.add(await resolveProposal(client, text))
  const [first = '', ...others] = ids
  if (others.length === 0) {
    const reply = Object(await nameMissing(first, send(client, first), subject)) as Row
    return showChange(call.output, reply, `Applied ${reply['operation']}`)
  }
  const results: Row[] = []
  for (const id of ids) results.push(await toResult(id, send(client, id)))
  showResults(call, results, () => results.map(renderResult).join('\n'))
}

/** Throws if a proposal was refused. */
function showResults(
  { options, output }: Pick<Call<DryRunOptions>, 'options' | 'output'>,
  results: readonly Row[],
  render: () => string,
): void {
  const failed = results.filter(({ error }) => error !== undefined).length
  const applied = options.dryRun ? 0 : results.length - failed
  output.result({ requested: results.length, applied, results }, render)
  if (failed === 0) return
  const outcome = options.dryRun ? 'would be refused' : 'were not applied'
  const message = `${failed} of ${results.length} proposals ${outcome}`
  const hint = options.dryRun
    ? 'A dry run tries each proposal alone: one that needs the entity of another is refused.'
    : 'Show one: reverie ontology show ID'
  throw new CliError('conflict', 'not_all_applied', message, hint)
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
