import { open } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Call, command, option } from '../command.ts'
import { findRunning } from '../daemon-file.ts'
import { findDaemonSettings } from '../daemon-settings.ts'
import { hasDatabaseVariable } from '../environment.ts'
import { CliError } from '../failure.ts'
import { colors } from '../output.ts'
import { busyWith } from '../progress.ts'
import {
  describeService,
  findInstallation,
  installService,
  isAvailable,
  isRunning,
  readInstalled,
  readServiceWords,
  type Service,
  startService,
  uninstallService,
} from '../service/registration.ts'
import { untilReady } from './start.ts'
import { stopDaemon } from './stop.ts'

interface InstallOptions {
  readonly dryRun?: boolean
  readonly timeout: number
}

interface LogOptions {
  readonly lines: number
}

export const installAsService = command<InstallOptions>({
  usage: 'service install',
  summary: 'Start the daemon at each login, and again after a failure',
  options: [
    option('--dry-run', 'print the files and the commands without writing'),
    option('--timeout <seconds>', 'maximum seconds to wait', { type: 'count', default: 60 }),
  ],
  examples: ['reverie service install --dry-run'],
  run: install,
})

export const uninstallAsService = command<InstallOptions>({
  usage: 'service uninstall',
  summary: 'Stop the service and remove its files',
  options: [option('--dry-run', 'print the files and the commands without removing')],
  examples: ['reverie service uninstall --dry-run'],
  run: uninstall,
})

export const serviceStatus = command({
  usage: 'service status',
  summary: 'Show whether the daemon is a service, and whether it runs',
  examples: ['reverie service status', 'reverie service status --json'],
  run: showStatus,
})

export const serviceLogs = command<LogOptions>({
  usage: 'service logs',
  summary: 'Print the start log and the end of the log file, without a running daemon',
  options: [option('--lines <count>', 'lines of the log file', { type: 'count', default: 50 })],
  examples: ['reverie service logs --lines 20'],
  run: printLogs,
})

export async function install(call: Call<InstallOptions>): Promise<void> {
  const { environment, options, output } = call
  assertNoDatabaseVariable()
  const service = await requireService(call)
  if (options.dryRun) return showPlan(call, service, 'install')
  await assertAvailable(service)
  if ((await findInstallation(service)) === 'other')
    throw new CliError(
      'conflict',
      'other_workspace',
      'the installed service uses another workspace',
      'Remove it first: reverie service uninstall',
    )
  const { manager, files } = service
  const present = await Promise.all(files.map(({ path }) => readInstalled(path)))
  const isSame = files.every(({ text }, index) => text === present[index])
  const runningDaemon =
    isSame && (await isRunning(service)) && (await findRunning(environment.workspace))
  if (runningDaemon)
    return showInstalled(call, service, { status: 'unchanged', url: runningDaemon.url })
  // A daemon that a shell started would hold the workspace.
  await stopDaemon({ ...call, options: { timeout: options.timeout }, output: silent(call) })
  await installService(service)
  const daemon = await busyWith(output, 'Starting Reverie', async () => {
    await startService({ manager })
    return await untilReady(environment.workspace, options.timeout)
  })
  showInstalled(call, service, { status: 'installed', url: daemon.url })
}

export async function uninstall(call: Call<InstallOptions>): Promise<void> {
  const service = await requireService(call)
  if (call.options.dryRun) return showPlan(call, service, 'uninstall')
  const removed = await uninstallService(service)
  const status = removed.length > 0 ? 'uninstalled' : 'not_installed'
  call.output.result({ status, manager: service.manager.name, files: removed }, () =>
    removed.length === 0
      ? 'No service is installed.'
      : [`${colors.green('✓')} Stopped and removed.`, ...removed.map((path) => `  ${path}`)].join(
          '\n',
        ),
  )
}

async function showStatus({ environment, output }: Call): Promise<void> {
  const { workspace } = environment
  const [service, daemon] = await Promise.all([
    describeService(environment),
    findRunning(workspace),
  ])
  const installed = service !== undefined && (await findInstallation(service)) === 'ours'
  const supervised = installed && service !== undefined && (await isRunning(service))
  const state = {
    installed,
    manager: service?.manager.name ?? null,
    file: service?.files[0]?.path ?? null,
    supervised,
    running: daemon !== undefined,
    url: daemon?.url ?? null,
    workspace,
  }
  output.result(state, () => {
    const origin = supervised ? `as a service of ${state.manager}` : 'without a service manager'
    const life = daemon ? `runs ${origin} at ${daemon.url}` : 'does not run'
    const file = installed ? `installed: ${state.file}` : 'not installed: reverie service install'
    return `The daemon of ${workspace} ${life}.\nThe service is ${file}`
  })
}

async function printLogs({ environment, options, output }: Call<LogOptions>): Promise<void> {
  const { workspace } = environment
  const dir = (await findDaemonSettings())?.logging.dir ?? 'logs'
  const log = resolve(workspace, dir, 'daemon.log')
  const start = await readInstalled(join(workspace, '.daemon', 'start.log'))
  const lines = (await readEnd(log)).slice(-options.lines)
  output.result({ start: start ?? '', log, lines }, () =>
    [start?.trimEnd() ?? '', ...lines].join('\n').trim(),
  )
}

const maxEndBytes = 1_048_576

/** The whole lines at the end of a file that may be large; none without the file. */
async function readEnd(file: string): Promise<readonly string[]> {
  const handle = await open(file).catch(() => undefined)
  if (!handle) return []
  try {
    const { size } = await handle.stat()
    const position = Math.max(0, size - maxEndBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, maxEndBytes)), {
      position,
    })
    const lines = buffer.subarray(0, bytesRead).toString('utf8').trimEnd().split('\n')
    return position > 0 ? lines.slice(1) : lines
  } finally {
    await handle.close()
  }
}

function showInstalled(
  { output }: Pick<Call, 'output'>,
  { manager, files }: Service,
  { status, url }: { readonly status: string; readonly url: string },
): void {
  const paths = files.map(({ path }) => path)
  output.result({ status, manager: manager.name, files: paths, url }, () =>
    [
      `${colors.green('✓')} Reverie runs at ${colors.cyan(url)} and starts at each login (${manager.name}).`,
      ...paths.map((path) => `  ${path}`),
      ...(manager.note ? [`  ${manager.note}`] : []),
    ].join('\n'),
  )
}

function showPlan(
  { output }: Pick<Call, 'output'>,
  { manager, files }: Service,
  task: 'install' | 'uninstall',
) {
  const lines =
    task === 'install'
      ? [...manager.register, manager.start]
      : [...manager.unregister, ...manager.forget]
  const commands = lines.map((line) => line.join(' '))
  const plan = { status: 'dry_run', manager: manager.name, files, commands }
  output.result(plan, () => {
    const lines = files.map(({ path, text }) => (task === 'install' ? `# ${path}\n${text}` : path))
    return [...lines, ...commands.map((line) => `$ ${line}`)].join('\n')
  })
}

function silent({ output }: Pick<Call, 'output'>): Call['output'] {
  return { ...output, result: () => undefined }
}

function assertNoDatabaseVariable(): void {
  if (!hasDatabaseVariable()) return
  const message = 'SVC_DATABASE_URL is set, and a service does not get it'
  const hint = 'Put it into the settings: reverie config set database.url URL'
  throw new CliError('usage', 'database_variable', message, hint)
}

async function requireService({ environment }: Pick<Call, 'environment'>): Promise<Service> {
  const service = await describeService(environment)
  if (service) return service
  throw await toUnsupported(`${process.platform} has no supported service manager`)
}

async function assertAvailable(service: Service): Promise<void> {
  if (await isAvailable(service)) return
  throw await toUnsupported(`${service.manager.name} does not serve this user session`)
}

/** Any other supervisor can run the daemon with this line. */
async function toUnsupported(message: string): Promise<CliError> {
  const line = (await readServiceWords()).join(' ')
  return new CliError('refused', 'no_service_manager', message, `Start this line at login: ${line}`)
}
