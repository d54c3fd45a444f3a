import type { Forgotten, Recovered, Updated } from '../../../client/wire.ts'
import { neutralize } from '../../../kernel/redaction/neutralize.ts'
import { colors } from '../colors.ts'
import type { Call } from '../command.ts'
import { CliError } from '../failure.ts'
import { nameMemory, resolveId } from '../memory-id.ts'
import type { Output } from '../output.ts'
import { type Reason, requireReason } from '../reason.ts'
import { renderTable } from '../table.ts'
import type { Description } from './remember-run.ts'

export interface UpdateOptions extends Description, Reason {
  readonly unpin?: boolean
}

export async function show({ args: [id = ''], output, connect }: Call): Promise<void> {
  const client = await connect()
  const memory = await nameMemory(id, client.memory.read(await resolveId(client, id)))
  output.result(memory, () => {
    const fields = Object.entries(memory).filter(
      ([name, value]) => value !== null && name !== 'content',
    )
    const lines = fields.map(([name, value]) => {
      const written = typeof value === 'object' ? JSON.stringify(value) : String(value)
      return `${colors.dim(name.padEnd(18))} ${neutralize(written)}`
    })
    return `${neutralize(memory.content)}\n\n${lines.join('\n')}`
  })
}

export async function history({ args: [id = ''], output, connect }: Call): Promise<void> {
  const client = await connect()
  const wholeId = await resolveId(client, id, { includeDeleted: true })
  const reply = await nameMemory(id, client.memory.history(wholeId))
  output.result(reply, () =>
    renderTable(
      ['time', 'event', 'by', 'reason'],
      reply.history.map(({ createdAt, event, changedBy, reason }) => [
        createdAt,
        event,
        changedBy,
        reason ?? '',
      ]),
    ),
  )
}

export async function update(call: Call<UpdateOptions>): Promise<void> {
  const { args, options, output, connect } = call
  const [id = ''] = args
  const { tags, importance, type, pin, unpin } = options
  if ([tags, importance, type, pin, unpin].every((change) => change === undefined))
    throw new CliError('usage', 'no_change', 'nothing to change', 'See: reverie update --help')
  const body = { reason: requireReason(call), tags, importance, type, pinned: unpin ? false : pin }
  const client = await connect()
  showChanged(output, await nameMemory(id, client.memory.update(await resolveId(client, id), body)))
}

export async function recover(call: Call<Reason>): Promise<void> {
  const { args, output, connect } = call
  const [id = ''] = args
  const reason = requireReason(call)
  const client = await connect()
  const wholeId = await resolveId(client, id, { includeDeleted: true })
  showChanged(output, await nameMemory(id, client.memory.recover(wholeId, { reason })))
}

type Changed = Updated | Forgotten | Recovered

const outcomes: Readonly<Record<Changed['status'], string>> = {
  updated: 'Updated',
  deleted: 'Forgotten; it can be recovered for 30 days',
  recovered: 'Recovered',
  no_changes: 'No changes',
}

export function showChanged(output: Output, changed: Changed): void {
  output.result(
    changed,
    () => `${colors.green('✓')} ${outcomes[changed.status]}\n  ${colors.dim(changed.id)}`,
  )
}
