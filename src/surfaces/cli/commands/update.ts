import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { nameMissing, resolveId } from '../ids.ts'
import { colors, type Output } from '../output.ts'
import { type ReasonOptions, requireReason } from '../prompts.ts'
import { importance, reason, tags, type } from './memory-options.ts'
import type { Description } from './remember.ts'

interface UpdateOptions extends Description, ReasonOptions {
  readonly unpin?: boolean
}

export const update = command<UpdateOptions>({
  usage: 'update <id>',
  aliases: ['edit'],
  summary: 'Change tags, importance, type or pin; use replace for the text',
  options: [
    reason,
    tags,
    importance,
    type,
    option('--pin', 'pin the memory', { conflicts: 'unpin' }),
    option('--unpin', 'unpin the memory'),
  ],
  examples: ['reverie update 0195f3a0 --importance 0.9 --reason "came up twice"'],
  run: updateMemory,
})

async function updateMemory(call: Call<UpdateOptions>): Promise<void> {
  const { args, options, output, connect } = call
  const [id = ''] = args
  const { tags, importance, type, pin, unpin } = options
  if ([tags, importance, type, pin, unpin].every((change) => change === undefined))
    throw new CliError('usage', 'no_change', 'nothing to change', 'See: reverie update --help')
  const body = { reason: requireReason(call), tags, importance, type, pinned: unpin ? false : pin }
  const client = await connect()
  const path = { id: await resolveId(client, id) }
  const reply = await nameMissing(id, client.call('PATCH /api/memory/:id', { path, body }))
  showChanged(output, reply, reply.status === 'updated' ? 'Updated' : 'No changes')
}

export function showChanged(output: Output, reply: { readonly id: string }, text: string): void {
  output.result(reply, () => `${colors.green('✓')} ${text}\n  ${colors.dim(reply.id)}`)
}
