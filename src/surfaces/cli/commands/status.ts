import { readReady } from '../../../client/client.ts'
import { type Call, command } from '../command.ts'
import { colors, toLine } from '../output.ts'

export const status = command({
  usage: 'status',
  summary: 'Show the health of the daemon',
  examples: ['reverie status', 'reverie status --json'],
  run: showStatus,
})

async function showStatus({ output, connect }: Call): Promise<void> {
  const client = await connect()
  const [health, ready] = await Promise.all([client.call('GET /health'), readReady(client, 5000)])
  const { status, version, pid, uptime } = health
  const state = { url: client.url, status, version, pid, uptime, ready: ready.status === 'ready' }
  const { reasons } = ready
  // A daemon names its process to remote callers only with a token.
  const process = pid === undefined ? [] : [`process ${pid}`]
  output.result({ ...state, reasons, health }, () => {
    const good = status === 'healthy' && state.ready
    const mark = good ? colors.green('✓') : colors.yellow('!')
    const lines = [
      `${mark} ${status}, ${ready.status.replace('_', ' ')}, at ${colors.cyan(client.url)}`,
      `  ${[`version ${version}`, ...process, `up ${toDuration(uptime)}`].join(', ')}`,
      ...reasons.map((reason) => `  ${colors.yellow('!')} ${toLine(reason)}`),
    ]
    return good ? lines.join('\n') : [...lines, '  See: reverie doctor'].join('\n')
  })
}

function toDuration(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
  ] as const
  const [size, unit] = units.find(([size]) => seconds >= size) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${unit}`
}
