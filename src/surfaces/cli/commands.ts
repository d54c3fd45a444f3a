import { readFile } from 'node:fs/promises'
import { type Command, type CommandSpec, nameOf, toSingular } from './command.ts'

/** The commands with a flow of their own, in the order of the help. */
const flows: Readonly<Record<string, () => Promise<Command>>> = {
  start: async () => (await import('./commands/start.ts')).start,
  stop: async () => (await import('./commands/stop.ts')).stop,
  restart: async () => (await import('./commands/restart.ts')).restart,
  status: async () => (await import('./commands/status.ts')).status,
  logs: async () => (await import('./commands/logs.ts')).logs,
  events: async () => (await import('./commands/events.ts')).events,
  dashboard: async () => (await import('./commands/dashboard.ts')).dashboard,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  setup: async () => (await import('./commands/setup.ts')).setup,
  'service install': async () => (await import('./commands/login-service.ts')).installAsService,
  'service uninstall': async () => (await import('./commands/login-service.ts')).uninstallAsService,
  'service status': async () => (await import('./commands/login-service.ts')).serviceStatus,
  'service logs': async () => (await import('./commands/login-service.ts')).serviceLogs,
  upgrade: async () => (await import('./commands/upgrade.ts')).upgrade,
  'token create': async () => (await import('./commands/token.ts')).createToken,
  'keys create': async () => (await import('./commands/keys.ts')).createKey,
  'config get': async () => (await import('./commands/config.ts')).getConfig,
  'config set': async () => (await import('./commands/config.ts')).setConfig,
  remember: async () => (await import('./commands/remember.ts')).remember,
  replace: async () => (await import('./commands/replace.ts')).replace,
  recall: async () => (await import('./commands/recall.ts')).recall,
  list: async () => (await import('./commands/list.ts')).list,
  update: async () => (await import('./commands/update.ts')).update,
  forget: async () => (await import('./commands/forget.ts')).forget,
  'dream run': async () => (await import('./commands/dream.ts')).runDream,
  'dream enable': async () => (await import('./commands/dream-switch.ts')).enableDreaming,
  'dream disable': async () => (await import('./commands/dream-switch.ts')).disableDreaming,
  'embed audit': async () => (await import('./commands/embed.ts')).audit,
  'embed backfill': async () => (await import('./commands/embed.ts')).backfill,
  'embed use': async () => (await import('./commands/embed-use.ts')).useModel,
  'sessions show': async () => (await import('./commands/sessions-show.ts')).showSession,
  'secret put': async () => (await import('./commands/secret.ts')).putSecret,
  'secret has': async () => (await import('./commands/secret.ts')).hasSecret,
  'secret exec': async () => (await import('./commands/secret-exec.ts')).execSecret,
  'secret key': async () => (await import('./commands/secret-key.ts')).secretKey,
  'secret vault-a': async () => (await import('./commands/secret-vaults.ts')).vaultA,
  'secret vault-b': async () => (await import('./commands/secret-vaults.ts')).vaultB,
  'skill install': async () => (await import('./commands/skill.ts')).installSkill,
  'skill link': async () => (await import('./commands/skill.ts')).linkSkill,
  'skill unlink': async () => (await import('./commands/skill.ts')).unlinkSkill,
  'skill uninstall': async () => (await import('./commands/skill.ts')).uninstallSkill,
  'plugin show': async () => (await import('./commands/plugin.ts')).showPlugin,
  'plugin enable': async () => (await import('./commands/plugin.ts')).enablePlugin,
  'plugin disable': async () => (await import('./commands/plugin.ts')).disablePlugin,
  'plugin grant': async () => (await import('./commands/plugin.ts')).grantCapability,
  'plugin revoke': async () => (await import('./commands/plugin.ts')).revokeCapability,
  'task follow': async () => (await import('./commands/events.ts')).followTask,
  'message follow': async () => (await import('./commands/events.ts')).followMessages,
  'source add': async () => (await import('./commands/source-add.ts')).addSource,
  'inference add': async () => (await import('./commands/inference-add.ts')).addTarget,
  'inference test': async () => (await import('./commands/inference-test.ts')).testTarget,
  'inference stream': async () => (await import('./commands/inference-stream.ts')).streamPrompt,
  'inference login': async () => (await import('./commands/inference-login.ts')).login,
  'entities claims': async () => (await import('./commands/entities-claims.ts')).listClaims,
  'entities set': async () => (await import('./commands/entities-change.ts')).setClaim,
  'entities link': async () => (await import('./commands/entities-change.ts')).linkEntities,
  'entities alias': async () => (await import('./commands/entities-names.ts')).addAlias,
  'entities unalias': async () => (await import('./commands/entities-names.ts')).removeAlias,
  'entities pin': async () => (await import('./commands/entities-names.ts')).pinEntity,
  'entities unpin': async () => (await import('./commands/entities-names.ts')).unpinEntity,
  'entities rename': async () => (await import('./commands/entities-change.ts')).renameEntity,
  'entities merge': async () => (await import('./commands/entities-change.ts')).mergeEntities,
  'entities split': async () => (await import('./commands/entities-names.ts')).splitEntity,
  'entities archive': async () => (await import('./commands/entities-change.ts')).archiveEntity,
  'ontology apply': async () => (await import('./commands/ontology-review.ts')).applyProposals,
  'ontology undo': async () => (await import('./commands/ontology-review.ts')).undoOperation,
  'ontology assert': async () => (await import('./commands/ontology-assert.ts')).assertText,
  'ontology export': async () => (await import('./commands/ontology-transfer.ts')).exportGraph,
  'ontology import': async () => (await import('./commands/ontology-transfer.ts')).importGraph,
  export: async () => (await import('./commands/export.ts')).exportMemories,
  import: async () => (await import('./commands/import.ts')).importMemories,
  'export conversations': async () =>
    (await import('./commands/export-conversations.ts')).exportConversations,
  'import files': async () => (await import('./commands/import-files.ts')).importFiles,
  'source export': async () => (await import('./commands/source-snapshot.ts')).exportSource,
  'source restore': async () => (await import('./commands/source-snapshot.ts')).restoreSource,
  'import conversations': async () =>
    (await import('./commands/import-conversations.ts')).importConversations,
  'document add': async () => (await import('./commands/document-add.ts')).addDocument,
  'connector add': async () => (await import('./commands/connector.ts')).addConnector,
  'connector sync': async () => (await import('./commands/connector.ts')).syncConnector,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  harnesses: async () => (await import('./commands/harnesses.ts')).listHarnesses,
  install: async () => (await import('./commands/harnesses.ts')).install,
  uninstall: async () => (await import('./commands/harnesses.ts')).uninstall,
  hook: async () => (await import('./commands/hook.ts')).hook,
  mcp: async () => (await import('./commands/mcp.ts')).mcp,
}

/** The file that the build writes next to the bundle: all commands without their code. */
const catalogueFile = 'cli-commands.json'

export interface CommandLine {
  readonly commands: readonly Command[]
  /** With the name of the command as its usage spells it. */
  readonly argv: readonly string[]
}

/** Second names of commands, which work as the command itself. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['ui', ['dashboard']],
  ['configure', ['config']],
  ['sync', ['git', 'sync']],
  ['bypass', ['sessions', 'bypass']],
  ['bypass --list', ['sessions', 'list']],
  ['daemon start', ['start']],
  ['daemon stop', ['stop']],
  ['daemon restart', ['restart']],
  ['daemon status', ['status']],
  ['daemon logs', ['logs']],
  ...['agent', 'agents'].flatMap((noun): [string, string[]][] => [
    [`${noun} add`, ['agents', 'create']],
    [`${noun} remove`, ['agents', 'delete']],
    [`${noun} info`, ['agents', 'show']],
  ]),
])

function replaceOtherName(words: readonly string[]): readonly string[] {
  const at = indexOfWord(words, 0)
  const [first = '', second = ''] = words.slice(at)
  const pair = otherNames.get(`${first} ${second}`)
  if (pair) return words.toSpliced(at, 2, ...pair)
  return words.toSpliced(at, 1, ...(otherNames.get(first) ?? words.slice(at, at + 1)))
}

/** Finds the one command of a line, or all commands where help or a suggestion needs them. */
export async function readCommandLine(words: readonly string[]): Promise<CommandLine> {
  const argv = replaceOtherName(words)
  const at = indexOfWord(argv, 0)
  const [first = '', second] = [argv[at], argv[indexOfWord(argv, at + 1)]]
  const load = flows[`${first} ${second}`]
  if (load) return { commands: [await load()], argv }
  if (flows[first]) return { commands: await loadGroup(first), argv }
  const isVersion = at === argv.length && argv.some((word) => versionFlags.includes(word))
  return isVersion ? { commands: [], argv } : narrowTo(await listCommands(), argv)
}

/** A command with an argument may have subcommands, which its help lists. */
function loadGroup(noun: string): Promise<readonly Command[]> {
  const names = Object.keys(flows).filter((name) => name === noun || name.startsWith(`${noun} `))
  return Promise.all(names.flatMap((name) => flows[name]?.() ?? []))
}

const versionFlags = ['-V', '--version']
const helpFlags = ['-h', '--help']
const globalOptions = ['--url', '--token', '--agent']

/** The index of the first word from here on that is neither an option nor the value of a global one. */
function indexOfWord(argv: readonly string[], from: number): number {
  for (let index = from; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (!word.startsWith('-')) return index
    if (globalOptions.includes(word)) index++
  }
  return argv.length
}

/**
 * Accepts a noun in singular and plural. A plural without a subcommand lists; a singular runs, where
 * the noun has such a command without arguments.
 */
export function narrowTo(commands: readonly Command[], argv: readonly string[]): CommandLine {
  const at = indexOfWord(argv, 0)
  const [word = '', next = ''] = argv.slice(at)
  const second = argv[indexOfWord(argv, at + 1)] ?? ''
  const names = commands.map(({ usage }) => nameOf(usage).split(' '))
  const pick = (...name: readonly string[]) =>
    commands.filter((_, index) => names[index]?.join(' ') === name.join(' '))
  // A command with an argument may have subcommands, which its help lists.
  if (pick(word).length > 0)
    return { commands: commands.filter((_, index) => names[index]?.[0] === word), argv }
  const isNoun = ([noun = '', ...rest]: readonly string[]) =>
    rest.length > 0 && toSingular(noun) === toSingular(word)
  const [noun = ''] = names.find(isNoun) ?? []
  const [before, rest] = [argv.slice(0, at), argv.slice(at + 1)]
  const called = pick(noun, second)
  if (called.length > 0) return { commands: called, argv: [...before, noun, ...rest] }
  const isAlone = next === '' || (next.startsWith('-') && !helpFlags.includes(next))
  const alone = toSingular(word) === word ? 'run' : 'list'
  const implied = isAlone ? pick(noun, alone).filter(({ usage }) => !usage.includes('<')) : []
  if (implied.length > 0) return { commands: implied, argv: [...before, noun, alone, ...rest] }
  return { commands, argv: noun ? [...before, noun, ...rest] : argv }
}

/** Without a build there is no route table: the flows remain. */
export async function listCommands(): Promise<readonly Command[]> {
  const text = await readFile(new URL(catalogueFile, import.meta.url), 'utf8').catch(
    () => undefined,
  )
  return text === undefined ? loadFlows() : (JSON.parse(text) as CommandSpec[]).map(toCommand)
}

export function loadFlows(): Promise<readonly Command[]> {
  return Promise.all(Object.values(flows).map((load) => load()))
}

function toCommand(spec: CommandSpec): Command {
  const { request } = spec
  const run: Command['run'] = async (call) => {
    if (request) return (await import('./run-operation.ts')).runOperation(call, spec, request)
    return (await flows[nameOf(spec.usage)]?.())?.run(call)
  }
  return { ...spec, run }
}
