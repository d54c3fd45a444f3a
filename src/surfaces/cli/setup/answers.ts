import { join } from 'node:path'
import { toWorkspace } from '../../../kernel/config/workspace.ts'
import { isFolder } from '../../../kernel/files/optional-files.ts'
import type { Call } from '../command.ts'
import { findDaemonSettings } from '../daemon-settings.ts'
import { type Environment, selectWorkspace } from '../environment.ts'
import { CliError } from '../failure.ts'
import { isChange, planInstall, renderDiff } from '../harnesses/changes.ts'
import { findOwnLauncher, harnesses, isDetected } from '../harnesses/detect.ts'
import { type Harness, readTarget } from '../harnesses/harness.ts'
import { describeService, isAvailable } from '../service/registration.ts'

export interface SetupOptions {
  readonly workspace?: string
  readonly mode?: Mode
  readonly harness?: readonly string[] | false
  readonly service?: boolean
  readonly notes?: string | false
  readonly sessions?: boolean
  readonly remember?: string
  readonly yes?: boolean
}

type Mode = 'local' | 'team' | 'hybrid'

export interface Answers {
  readonly environment: Environment
  readonly mode: Mode
  readonly harnesses: readonly Harness[]
  readonly service: boolean
  readonly notes: string | undefined
  /** Folders of sessions to import. */
  readonly sessions: readonly string[]
  readonly memory: string
}

const defaultMemory = 'Reverie was set up on this machine.'

/** Answers come from options, from a person at a terminal, or with `--yes` from the defaults. */
export async function answerQuestions(call: Call<SetupOptions>): Promise<Answers> {
  const { options, output } = call
  const isInteractive = !options.yes && call.environment.isTerminal && !output.json
  if (!options.yes && !isInteractive) assertComplete(options)
  const prompts = isInteractive ? await import('@clack/prompts') : undefined
  const folder = textOf('Folder of all data', call.environment.workspace)
  const workspace = options.workspace ?? (await ask(prompts, folder))
  const environment = selectWorkspace(toWorkspace(workspace))
  return {
    environment,
    harnesses: await answerHarnesses(options, environment, prompts),
    mode: options.mode ?? (await ask(prompts, modeQuestion(await readMode()))),
    service: options.service ?? (await answerService(environment, prompts)),
    notes: await answerNotes(options, prompts),
    sessions: await answerSessions(options, environment, prompts),
    memory: options.remember ?? defaultMemory,
  }
}

async function readMode(): Promise<Mode> {
  return (await findDaemonSettings())?.auth.mode ?? 'local'
}

async function answerNotes({ notes }: SetupOptions, prompts: Prompts | undefined) {
  const question = textOf('Folder of notes to make searchable (empty for none)', '')
  return (notes ?? (await ask(prompts, question))) || undefined
}

async function answerSessions(
  { sessions }: SetupOptions,
  environment: Environment,
  prompts: Prompts | undefined,
): Promise<readonly string[]> {
  const sessionFiles = await findSessions(environment)
  if (sessionFiles.length === 0 || sessions === false) return []
  const message = `Import the stored sessions of ${sessionFiles.join(', ')}?`
  return sessions || (await ask(prompts, yesNo(message, false))) ? sessionFiles : []
}

type Prompts = typeof import('@clack/prompts')

interface Question<Value> {
  readonly byDefault: Value
  ask(prompts: Prompts): Promise<Value | symbol>
}

/** Without prompts the default is the answer. */
async function ask<Value>(prompts: Prompts | undefined, question: Question<Value>): Promise<Value> {
  if (!prompts) return question.byDefault
  const answer = await question.ask(prompts)
  if (typeof answer !== 'symbol') return answer
  throw new CliError(
    'refused',
    'declined',
    'the setup was cancelled; answers so far were not applied',
  )
}

function textOf(message: string, byDefault: string): Question<string> {
  return {
    byDefault,
    ask: async ({ text }) => {
      const answer = await text({
        message,
        defaultValue: byDefault,
        placeholder: byDefault,
        output: process.stderr,
      })
      return typeof answer === 'string' ? answer.trim() : answer
    },
  }
}

function yesNo(message: string, byDefault: boolean): Question<boolean> {
  return {
    byDefault,
    ask: ({ confirm }) => confirm({ message, initialValue: byDefault, output: process.stderr }),
  }
}

function modeQuestion(current: Mode): Question<Mode> {
  const options = [
    { value: 'local', label: 'local', hint: 'every program of this user may call' },
    { value: 'team', label: 'team', hint: 'each call needs a token' },
    ...(current === 'hybrid' ? [{ value: 'hybrid' as const, label: 'hybrid' }] : []),
  ] as const
  return {
    byDefault: current,
    ask: ({ select }) =>
      select<Mode>({
        message: 'Who may call the daemon?',
        options: [...options],
        initialValue: current,
        output: process.stderr,
      }),
  }
}

async function answerService(environment: Environment, prompts: Prompts | undefined) {
  const service = await describeService(environment)
  if (!service || !(await isAvailable(service))) return false
  return ask(prompts, yesNo(`Start at each login (${service.manager.name})?`, true))
}

/** Asks for each detected harness, below the changes of its files. */
async function answerHarnesses(
  { harness: named }: SetupOptions,
  environment: Environment,
  prompts: Prompts | undefined,
): Promise<readonly Harness[]> {
  if (named === false) return []
  if (named) return named.map(readHarness)
  const launcher = { ...(await findOwnLauncher()), target: readTarget(environment) }
  const chosen: Harness[] = []
  for (const harness of harnesses) {
    // An entry for other programs is no program to detect.
    if (!harness.program || !(await isDetected(harness, environment.places))) continue
    const changes = await planInstall(harness.files(environment.places, launcher))
    if (prompts && changes.some(isChange))
      prompts.note(renderDiff(changes).trimEnd(), harness.name, { output: process.stderr })
    if (await ask(prompts, yesNo(`Connect ${harness.name}?`, true))) chosen.push(harness)
  }
  return chosen
}

function readHarness(id: string): Harness {
  const match = harnesses.find((harness) => harness.id === id)
  if (match) return match
  const known = harnesses.map((harness) => harness.id).join(', ')
  throw new CliError('usage', 'unknown_harness', `there is no harness ${id}`, `One of: ${known}`)
}

/** Where the harnesses store sessions in a format that `import conversations` reads. */
async function findSessions({ places }: Environment): Promise<readonly string[]> {
  const { claudeHome, codexHome, home } = places
  const folders = [
    join(claudeHome, 'projects'),
    join(codexHome, 'sessions'),
    join(home, '.gemini', 'tmp'),
  ]
  const existing = await Promise.all(
    folders.map(async (folder) => ((await isFolder(folder)) ? folder : [])),
  )
  return existing.flat()
}

/** By answer: the options that give it. */
const flags = {
  workspace: '--workspace',
  mode: '--mode',
  harness: '--harness or --no-harness',
  service: '--service or --no-service',
  notes: '--notes or --no-notes',
  sessions: '--sessions or --no-sessions',
} as const

function assertComplete(options: SetupOptions): void {
  const names = Object.keys(flags) as (keyof typeof flags)[]
  const missing = names.filter((name) => options[name] === undefined).map((name) => flags[name])
  if (missing.length === 0) return
  const message = `without a terminal, setup needs ${missing.join(', ')}`
  throw new CliError('usage', 'usage', message, 'Pass them, or --yes to take the defaults.')
}
