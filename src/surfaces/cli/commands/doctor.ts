import { toServerUrl } from '../../../kernel/config/config.ts'
import { type Call, command } from '../command.ts'
import { findDaemonSettings } from '../daemon-settings.ts'
import { examineCodexTrust } from '../doctor/codex-trust.ts'
import { examineDaemon } from '../doctor/daemon-checks.ts'
import type { Finding } from '../doctor/finding.ts'
import { examineMachine } from '../doctor/machine-checks.ts'
import { CliError } from '../failure.ts'
import { colors, toLine } from '../output.ts'

export const doctor = command({
  usage: 'doctor',
  summary: 'Report problems and their fixes',
  examples: ['reverie doctor'],
  run: examine,
})

async function examine({ environment, output, program, connect }: Call): Promise<void> {
  const client = await connect()
  const { url } = (await findDaemonSettings())?.database ?? {}
  const server = url && toServerUrl(url)
  const daemon = await examineDaemon(client, { version: program.version, server })
  const machine = await examineMachine(environment, server)
  // The reply of the daemon names the database in use.
  const names = new Set(daemon.map(({ name }) => name))
  const checks = [
    ...machine.filter(({ name }) => !names.has(name)),
    ...daemon,
    ...(await examineCodexTrust(environment)),
  ]
  const failed = checks.filter(({ state }) => state === 'fail').length
  output.result({ healthy: failed === 0, checks }, () => checks.map(renderFinding).join('\n'))
  if (failed > 0)
    throw new CliError('fault', 'unhealthy', `${failed} of ${checks.length} checks failed`)
}

const marks = {
  ok: colors.green('✓'),
  unknown: colors.dim('·'),
  warn: colors.yellow('!'),
  fail: colors.red('✗'),
}

function renderFinding({ name, state, detail, fix }: Finding): string {
  const line = `${marks[state]} ${name.padEnd(10)} ${toLine(detail, 200)}`
  return fix ? `${line}\n  ${' '.repeat(10)} ${colors.cyan(toLine(fix, 200))}` : line
}
