import type { AgentRow } from '../../../client/wire.ts'
import type { Call } from '../command.ts'
import { CliError } from '../failure.ts'
import { nameMissing } from '../name-missing.ts'
import { renderTable } from '../table.ts'

export interface PolicyOptions {
  readonly policy?: string
  readonly group?: string
}

export interface DeleteOptions {
  readonly purge?: boolean
}

export async function list({ output, connect }: Call): Promise<void> {
  const reply = await (await connect()).agents.list()
  output.result(reply, () => renderAgents(reply.agents))
}

export async function show({ args: [name = ''], output, connect }: Call): Promise<void> {
  const agent = await named(name, (await connect()).agents.read(name))
  output.result(agent, () => renderAgents([agent]))
}

export async function create({
  args,
  options,
  output,
  connect,
}: Call<PolicyOptions>): Promise<void> {
  const agent = await (await connect()).agents.create({ name: args[0] ?? '', ...toBody(options) })
  output.result(agent, () => renderAgents([agent]))
}

export async function update({
  args,
  options,
  output,
  connect,
}: Call<PolicyOptions>): Promise<void> {
  const [name = ''] = args
  const body = toBody(options)
  if (body.read_policy === undefined && body.policy_group === undefined)
    throw new CliError('usage', 'no_change', 'nothing to change', 'Pass --policy or --group.')
  const agent = await named(name, (await connect()).agents.update(name, body))
  output.result(agent, () => renderAgents([agent]))
}

export async function remove({
  args,
  options,
  output,
  connect,
}: Call<DeleteOptions>): Promise<void> {
  const name = args[0] ?? ''
  const { purge } = options
  const reply = await named(name, (await connect()).agents.delete(name, { purge }))
  const fate = reply.purged ? 'deleted permanently' : 'archived'
  output.result(reply, () => `Removed ${name}; its memories are ${fate}.`)
}

function named<Reply>(name: string, reply: Promise<Reply>): Promise<Reply> {
  return nameMissing(reply, {
    what: `agent ${name}`,
    hint: 'List the agents with: reverie agents list',
  })
}

function toBody({ policy, group }: PolicyOptions) {
  return { read_policy: policy, policy_group: group }
}

function renderAgents(agents: readonly AgentRow[]): string {
  const rows = agents.map(({ name, read_policy, policy_group, created_at }) => [
    name,
    read_policy,
    policy_group ?? '',
    created_at,
  ])
  return renderTable(['name', 'policy', 'group', 'created'], rows)
}
