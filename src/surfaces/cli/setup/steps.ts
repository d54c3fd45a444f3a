import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { issueToken } from '../../../kernel/auth/token.ts'
import { configFileNames, findSettings } from '../../../kernel/config/workspace.ts'
import { makeFolder } from '../../../kernel/files/folders.ts'
import { replaceFile } from '../../../kernel/files/replace-file.ts'
import { realHost } from '../../../kernel/host/host.ts'
import type { Call } from '../command.ts'
import { doctor } from '../commands/doctor.ts'
import { install as connectHarness } from '../commands/harnesses.ts'
import { importConversations } from '../commands/import-conversations.ts'
import { install as installService } from '../commands/login-service.ts'
import { restart } from '../commands/restart.ts'
import { addSource } from '../commands/source-add.ts'
import { startDaemon } from '../commands/start.ts'
import { findDaemonSettings } from '../daemon-settings.ts'
import { connect, type GlobalOptions } from '../environment.ts'
import { CliError } from '../failure.ts'
import { colors, toLine } from '../output.ts'
import { assertParentsAreMaps, parseSettings } from '../settings-file.ts'
import type { Answers, SetupOptions } from './answers.ts'

const startTimeoutSeconds = 60
const tokenTtlSeconds = 3600

interface Outcome {
  readonly healthy: boolean
  readonly problem: string
}

/** Applies the answers, then tries the service out. A step that is done already changes nothing. */
export async function applyAnswers(call: Call<SetupOptions>, answers: Answers): Promise<Outcome> {
  const { environment, harnesses } = answers
  const globals = readGlobals(call)
  const base: Call = {
    ...call,
    environment,
    options: { ...globals },
    connect: () => connect(environment, globals),
  }
  const isNewMode = await saveMode(answers)
  const daemon = await start(base, answers, isNewMode)
  const ready = await withToken(base, answers)
  const harnessReports = []
  for (const { id } of harnesses)
    harnessReports.push(await runStep(ready, connectHarness, { args: [id] }))
  const imported = await importContent(ready, answers)
  const memory = await tryMemory(ready, answers.memory)
  const diagnosis = await examine(ready)
  const done = {
    workspace: environment.workspace,
    mode: answers.mode,
    daemon,
    harnesses: harnessReports,
    imported,
    memory,
    healthy: diagnosis.healthy,
  }
  call.output.result(done, () => renderEnd(answers, memory))
  return diagnosis
}

/** Writes the mode into the settings file unless it is in effect. */
async function saveMode({ environment, mode }: Answers): Promise<boolean> {
  const current = (await findDaemonSettings())?.auth.mode ?? 'local'
  if (current === mode) return false
  await makeFolder(environment.workspace)
  const { file, text } = await findSettings(environment.workspace)
  const document = parseSettings({ name: configFileNames[0], content: text })
  assertParentsAreMaps(document, ['auth', 'mode'])
  document.setIn(['auth', 'mode'], mode)
  await replaceFile(file, document.toString({ lineWidth: 0 }))
  return true
}

async function start(call: Call, { service }: Answers, isNewMode: boolean): Promise<unknown> {
  const options = { timeout: startTimeoutSeconds }
  if (service) {
    const installed = await runStep(call, { run: installService }, { options })
    if (!isNewMode || Object(installed).status === 'installed') return installed
  }
  return isNewMode
    ? runStep(call, restart, { options })
    : runStep(call, { run: startDaemon }, { options })
}

/** In team mode the calls of the setup use a token of one hour, signed with the workspace's secret. */
async function withToken(call: Call, { environment, mode }: Answers): Promise<Call> {
  if (mode === 'local' || environment.token !== undefined || call.options['token']) return call
  const secret = await readFile(join(environment.workspace, '.daemon', 'auth-secret'))
  const request = { role: 'admin' as const, scope: {}, ttlSeconds: tokenTtlSeconds, sub: 'setup' }
  const { token } = issueToken(request, { secret, now: realHost.now() })
  const own = { ...environment, token }
  return { ...call, environment: own, connect: () => connect(own, {}) }
}

async function importContent(
  call: Call,
  { notes, sessions }: Answers,
): Promise<readonly unknown[]> {
  const imported = []
  if (notes !== undefined)
    imported.push(
      await runStep(call, addSource, { args: ['vault', notes], options: { wait: true } }),
    )
  for (const folder of sessions)
    imported.push(await runStep(call, importConversations, { args: [folder] }))
  return imported
}

/** The first memory; a further setup finds it stored already. */
async function tryMemory({ connect: open, output }: Call, content: string) {
  const client = await open()
  const saved = await client.call('POST /api/memory/remember', { body: { content } })
  const { results } = await client.call('POST /api/memory/recall', { body: { query: content } })
  const isFound = results.some(({ id }) => id === saved.id)
  if (!isFound)
    throw new CliError(
      'fault',
      'not_recalled',
      'the first memory was not found',
      'Run: reverie doctor',
    )
  output.note(
    `${colors.green('✓')} ${saved.deduped ? 'Already stored' : 'Remembered'} and recalled: ${toLine(content)}`,
  )
  return { id: saved.id, deduped: saved.deduped === true, recalled: true }
}

async function examine(call: Call): Promise<Outcome> {
  try {
    await runStep(call, doctor, {})
    return { healthy: true, problem: '' }
  } catch (error) {
    if (error instanceof CliError && error.code === 'unhealthy')
      return { healthy: false, problem: error.message }
    throw error
  }
}

function readGlobals({ options }: Call<SetupOptions>): GlobalOptions {
  const { url, token, agent } = options as GlobalOptions
  return {
    ...(url !== undefined && { url }),
    ...(token !== undefined && { token }),
    ...(agent !== undefined && { agent }),
  }
}

interface Step {
  readonly args?: readonly string[]
  readonly options?: Readonly<Record<string, unknown>>
}

/** Runs a command of this program. People see its text; its document becomes a part of the result. */
async function runStep<Options>(
  call: Call,
  step: { run(call: Call<Options>): Promise<void> },
  { args = [], options = {} }: Step,
): Promise<unknown> {
  const { output } = call
  let reply: unknown = null
  const result = (data: unknown, render: () => string): void => {
    reply = data
    output.note(render())
  }
  const mergedOptions = { ...call.options, ...options } as Options
  await step.run({ ...call, args, options: mergedOptions, output: { ...output, result } })
  return reply
}

function renderEnd({ environment, mode }: Answers, { id }: { readonly id: string }): string {
  const isDefault = environment.workspace.endsWith('/.svc')
  return [
    `${colors.green('✓')} Reverie is set up.`,
    `  Try: reverie recall "what do you know?"   (the first memory: reverie show ${id.slice(0, 8)})`,
    ...(isDefault ? [] : [`  Add to your shell: export SVC_PATH='${environment.workspace}'`]),
    ...(mode === 'local'
      ? []
      : ['  Your shell needs a token: reverie token create --role admin --local']),
  ].join('\n')
}
