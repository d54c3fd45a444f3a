import { basename } from 'node:path'
import { ReverieError } from '../../../client/public/reverie-error.ts'
import { type Call, command, option } from '../command.ts'
import { answerTimeoutMs } from '../daemon-file.ts'
import { findDaemonSettings } from '../daemon-settings.ts'
import { CliError } from '../failure.ts'
import {
  type Change,
  isChange,
  pathOfBackups,
  planInstall,
  planUninstall,
  readBackups,
  removeBackups,
  renderDiff,
  saveBackups,
  writeChanges,
} from '../harnesses/changes.ts'

import { findOwnLauncher, findVersion, harnesses, isDetected } from '../harnesses/detect.ts'
import { createLauncher, type Harness, type Launcher, readTarget } from '../harnesses/harness.ts'

import { colors } from '../output.ts'
import { renderTable } from '../render.ts'

interface InstallOptions {
  readonly dryRun?: boolean
  readonly command?: string
  readonly url?: string
}

const dryRun = option('--dry-run', 'show the changes without writing')

export const listHarnesses = command({
  usage: 'harnesses',
  summary: 'List the supported harnesses and their state',
  examples: ['reverie harnesses', 'reverie harnesses --json'],
  run: list,
})

export const install = command<InstallOptions>({
  usage: 'install <harness>',
  summary: 'Connect a harness: install its hooks and the memory tools',
  options: [dryRun, option('--command <path>', 'path of reverie for the harness')],
  examples: ['reverie install claude-code --dry-run', 'reverie install codex'],
  run: connectHarness,
})

export const uninstall = command<InstallOptions>({
  usage: 'uninstall <harness>',
  summary: 'Remove the entries of install from the files of a harness',
  options: [dryRun],
  examples: ['reverie uninstall claude-code'],
  run: disconnectHarness,
})

async function list({ environment, output }: Call): Promise<void> {
  const { places } = environment
  const launcher = await findOwnLauncher()
  const reports = await Promise.all(
    harnesses.map(async (harness) => {
      const edits = harness.files(places, launcher)
      return {
        id: harness.id,
        name: harness.name,
        detected: await isDetected(harness, places),
        installed: (await planUninstall(edits, {})).some(isChange),
        version: await findVersion(harness, environment.path),
        configPath: edits[0]?.path ?? null,
      }
    }),
  )
  output.result({ harnesses: reports }, () =>
    renderTable(
      ['id', 'name', 'detected', 'connected', 'version', 'file'],
      reports.map(({ id, name, detected, installed, version, configPath }) => [
        id,
        name,
        detected ? 'yes' : 'no',
        installed ? 'yes' : 'no',
        version ?? '',
        configPath ?? '',
      ]),
    ),
  )
}

async function connectHarness(call: Call<InstallOptions>): Promise<void> {
  const { environment, options } = call
  const harness = readHarness(call)
  const { command } = options
  const launcher = command === undefined ? await findOwnLauncher() : readLauncher(command)
  const target = readTarget(environment, options.url)
  const edits = harness.files(environment.places, { ...launcher, target })
  const changes = await planInstall(edits)
  if (options.dryRun) return showPlan(call, harness, changes)
  const ours = (await planUninstall(edits, {})).filter(isChange).map(({ path }) => path)
  const changed = changes.filter(isChange)
  const file = pathOfBackups(environment.workspace, harness.id)
  if (changed.length > 0) await saveBackups(file, changed, (path) => ours.includes(path))
  await writeChanges(changes)
  const notices = [harness.notice ?? [], (await needsToken(call)) ? toTokenNotice(harness) : []]
  showOutcome(call, harness, { changes, done: 'installed', notices: notices.flat() })
}

async function disconnectHarness(call: Call<InstallOptions>): Promise<void> {
  const { environment, options } = call
  const harness = readHarness(call)
  const file = pathOfBackups(environment.workspace, harness.id)
  const edits = harness.files(environment.places, await findOwnLauncher())
  const changes = await planUninstall(edits, await readBackups(file))
  if (options.dryRun) return showPlan(call, harness, changes)
  await writeChanges(changes)
  await removeBackups(file)
  showOutcome(call, harness, { changes, done: 'uninstalled' })
}

/** In team mode the daemon refuses hooks and MCP calls without a token. */
async function needsToken({ connect }: Call<InstallOptions>): Promise<boolean> {
  const timeoutMs = answerTimeoutMs
  try {
    return (await (await connect()).call('GET /api/mode', { timeoutMs })).mode === 'team'
  } catch (error) {
    // Without an answer the settings of this machine decide.
    if (!(error instanceof ReverieError || error instanceof CliError)) throw error
    return (await findDaemonSettings())?.auth.mode === 'team'
  }
}

function toTokenNotice({ name }: Harness): string {
  return [
    `The daemon is in team mode: the hooks and MCP of ${name} need a token.`,
    '  Create one: reverie token create --role agent --for AGENT --local',
    `  Set it where ${name} is started: export SVC_TOKEN=TOKEN SVC_AGENT_ID=AGENT`,
  ].join('\n')
}

function readHarness({ args: [id = ''] }: Call<InstallOptions>): Harness {
  const match = harnesses.find((harness) => harness.id === id)
  if (match) return match
  const known = harnesses.map((harness) => harness.id).join(', ')
  throw new CliError('usage', 'unknown_harness', `there is no harness ${id}`, `One of: ${known}`)
}

function readLauncher(path: string): Launcher {
  // `uninstall` finds the entries by this name.
  if (basename(path) === 'reverie') return createLauncher(path)
  throw new CliError('usage', 'bad_command', `${path} is not named reverie`)
}

interface InstallOutcome {
  readonly changes: readonly Change[]
  readonly done: 'installed' | 'uninstalled'
  /** What else the user has to do after an installation. */
  readonly notices?: readonly string[]
}

function showOutcome(
  { output }: Call<InstallOptions>,
  { id, name }: Harness,
  { changes, done, notices }: InstallOutcome,
): void {
  const isChanged = changes.some(isChange)
  const status = isChanged ? done : 'unchanged'
  output.result({ harness: id, status, files: toFiles(changes), notices }, () => {
    if (!isChanged) return [`Nothing to change for ${name}.`, ...(notices ?? [])].join('\n')
    const lines = toFiles(changes).map(({ path, status }) => `  ${status.padEnd(9)} ${path}`)
    const verb = done === 'installed' ? 'Connected' : 'Disconnected'
    const headline = `${colors.green('✓')} ${verb} ${name}; takes effect at its next start.`
    return [headline, ...lines, ...(notices ?? [])].join('\n')
  })
}

function showPlan(
  { output }: Call<InstallOptions>,
  { id }: Harness,
  changes: readonly Change[],
): void {
  const diff = renderDiff(changes)
  const plan = { harness: id, status: 'dry_run', files: toFiles(changes), diff }
  output.result(plan, () => diff.trimEnd() || 'No changes.')
}

function toFiles(changes: readonly Change[]) {
  return changes.map((change) => ({ path: change.path, status: toStatus(change) }))
}

function toStatus(change: Change): 'unchanged' | 'created' | 'deleted' | 'changed' {
  if (!isChange(change)) return 'unchanged'
  if (change.before === null) return 'created'
  return change.after === null ? 'deleted' : 'changed'
}
