import { type Call, command } from '../command.ts'
import { CliError } from '../failure.ts'
import { nameMissing } from '../ids.ts'
import { colors, toLine } from '../output.ts'
import { type Row, renderDetail, renderRows, toRows } from '../render.ts'

const samplePlugin = 'svc.secrets'
const subject = { noun: 'plugin', list: 'reverie plugin list' }

async function setEnabled({ args: [id = ''], output, connect }: Call, enabled: boolean) {
  const client = await connect()
  const sending = client.call('PATCH /api/plugins/:id', { path: { id }, body: { enabled } })
  const reply = await nameMissing(id, sending, subject)
  const { plugin } = Object(reply)
  const { state, stateReason, pendingCapabilities: pending } = Object(plugin)
  const reason = stateReason ? ` (${toLine(String(stateReason))})` : ''
  const isLimited = enabled && toNames(pending).length > 0
  const hint = `\n  It lacks capabilities. Grant all: reverie plugin grant ${toLine(id)}`
  output.result(
    reply,
    () => `${colors.green('✓')} ${toLine(id)} is ${state}${reason}${isLimited ? hint : ''}`,
  )
}

export const enablePlugin = command({
  usage: 'plugin enable <id>',
  summary: 'Enable a plugin, from the next call on',
  examples: [`reverie plugin enable ${samplePlugin}`],
  run: (call) => setEnabled(call, true),
})

export const disablePlugin = command({
  usage: 'plugin disable <id>',
  summary: 'Disable a plugin; its data stays',
  examples: [`reverie plugin disable ${samplePlugin}`],
  run: (call) => setEnabled(call, false),
})

/** Changes the granted set by one capability, or by all declared ones. */
async function setGrant({ args: [id = '', name], output, connect }: Call, isGranted: boolean) {
  const client = await connect()
  const reading = client.call('GET /api/plugins/:id', { path: { id } })
  const record = Object(await nameMissing(id, reading, subject)) as Row
  const declared = toNames(record['declaredCapabilities'])
  if (name !== undefined && !declared.includes(name)) {
    const hint = `It declares: ${declared.join(', ') || 'none'}`
    throw new CliError(
      'not_found',
      'not_found',
      `${toLine(id)} declares no capability ${name}`,
      hint,
    )
  }
  const changed = name === undefined ? declared : [name]
  const others = toNames(record['grantedCapabilities']).filter((one) => !changed.includes(one))
  const body = { capabilities: isGranted ? [...others, ...changed] : others }
  const reply = await client.call('PUT /api/plugins/:id/grants', { path: { id }, body })
  const granted = toNames(Object(Object(reply).plugin).grantedCapabilities)
  const listed = granted.join(', ') || 'no capability'
  output.result(
    reply,
    () => `${colors.green('✓')} ${toLine(id)} is granted ${toLine(listed, 1000)}`,
  )
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

export const grantCapability = command({
  usage: 'plugin grant <id> [capability]',
  summary: 'Grant a capability to a plugin, or all that it declares',
  examples: [`reverie plugin grant ${samplePlugin} secrets:exec`],
  run: (call) => setGrant(call, true),
})

export const revokeCapability = command({
  usage: 'plugin revoke <id> [capability]',
  summary: 'Revoke a capability of a plugin, or all of them',
  examples: [`reverie plugin revoke ${samplePlugin} connector:capability`],
  run: (call) => setGrant(call, false),
})

export const showPlugin = command({
  usage: 'plugin show <id>',
  summary: 'Show a plugin: its state, its capabilities and what of it is in effect',
  examples: [`reverie plugin show ${samplePlugin}`],
  run: async ({ args: [id = ''], output, connect }) => {
    const client = await connect()
    const reading = client.call('GET /api/plugins/:id/diagnostics', { path: { id } })
    const reply = await nameMissing(id, reading, subject)
    output.result(reply, () => renderPlugin(Object(Object(reply).plugin) as Row))
  },
})

function renderPlugin(plugin: Row): string {
  const { surfaces: _, health, ...record } = Object(plugin['record']) as Row
  const active = Object.entries(Object(plugin['activeSurfaces']))
    .filter(([, entries]) => toRows(entries).length > 0)
    .map(([surface, entries]) => `${surface}: ${toRows(entries).length}`)
  const errors = toNames(plugin['validationErrors'])
  const contributions = toRows(plugin['promptContributionDiagnostics']).map(
    ({ contribution, included, reason }) => ({
      contribution: Object(contribution).id,
      target: Object(contribution).target,
      included,
      reason,
    }),
  )
  return [
    renderDetail({ ...record, health: Object(health).status, active: active.join(', ') }),
    ...(errors.length > 0 ? [`\n${colors.red('Broken rules')}\n${toLines(errors)}`] : []),
    ...(contributions.length > 0 ? [`\n${renderRows(contributions)}`] : []),
  ].join('\n')
}

function toLines(texts: readonly string[]): string {
  return texts.map((text) => `  ${toLine(text, 200)}`).join('\n')
}
