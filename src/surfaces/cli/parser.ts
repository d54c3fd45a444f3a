import { CommanderError, Option, Command as Parser } from 'commander'
import { distance } from 'fastest-levenshtein'
import { type Command, nameOf, type OptionSpec } from './command.ts'
import type { Failure } from './failure.ts'
import { parseValue } from './parse-value.ts'

const groups: Readonly<Record<string, string>> = {
  agents: 'Manage agents',
  connector: 'Folders whose files become documents',
  db: 'Look into the database',
  document: 'Documents and their passages',
  git: 'Keep the workspace in a repository',
  keys: 'API keys of programs',
  pipeline: 'Background work with models',
  plugin: 'Plugins, their rights and their audit',
  repair: 'Repairs of stored data',
  skill: 'Skills of all harnesses',
  source: 'Sources of documents, and their runs',
  entities: 'Read and change what is known of things',
  ontology: 'Review, apply and undo changes of the knowledge graph',
  dream: 'Consolidate memories into the graph in the background',
  inference: 'Models and their calls',
  embed: 'Check and create vectors',
  message: 'Messages between agents',
  sessions: 'Sessions and their transcripts',
  service: 'Run the daemon at each login',
  secret: 'Credentials that agents use and never see',
  task: 'Prompts that run by a schedule',
  token: 'Manage tokens',
  config: 'Read and change settings',
}

/** The headings of the help, each with its commands. */
const headings: Readonly<Record<string, string>> = {
  Daemon:
    'start stop restart status logs doctor dashboard setup service upgrade config token keys completion',
  Memories: 'remember replace recall list show history update forget recover',
  'Knowledge graph': 'dream entities ontology',
  'Documents and sources': 'source document connector import export',
  'Harnesses and agents': 'harnesses install uninstall hook mcp sessions agents message',
  'Secrets, tasks and extensions': 'secret task skill plugin events',
  Models: 'inference embed',
  'Data and maintenance': 'backup restore git db repair pipeline',
}

interface Parsing {
  readonly version: string
  /** Errors are written as JSON by the caller. */
  readonly json: boolean
  run(command: Command, parsed: Parser): Promise<void>
}

export function createParser(commands: readonly Command[], parsing: Parsing): Parser {
  const root = new Parser('reverie')
    .description('A local memory service for AI agents.')
    .version(
      parsing.json ? JSON.stringify({ version: parsing.version }, null, 2) : parsing.version,
      '-V, --version',
    )
    .option('--url <address>', 'address of the daemon; overrides SVC_URL')
    .option('--token <token>', 'token; overrides SVC_TOKEN')
    .option('--agent <name>', 'name of the agent; overrides SVC_AGENT_ID')
    .option('--json', 'print one JSON document to stdout, errors as JSON to stderr')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined })
    .exitOverride((error) => {
      throw suggest(error, findIntended(commands, root.args[0]))
    })
    .addHelpText(
      'after',
      '\nTry:\n  $ reverie start\n  $ reverie remember "I like my tea green"\n  $ reverie completion bash|zsh|fish|pwsh',
    )
  // Subcommands inherit the configuration when they are created.
  if (parsing.json) root.configureOutput({ writeErr: () => undefined })
  for (const command of commands) addCommand(root, command, parsing)
  for (const [heading, names] of Object.entries(headings))
    for (const command of root.commands)
      if (names.split(' ').includes(command.name())) command.helpGroup(`${heading}:`)
  return root
}

function findIntended(commands: readonly Command[], name = ''): string | undefined {
  const intended = commands.find(({ aliases = [] }) => aliases.includes(name))
  return intended?.usage.split(' ')[0]
}

/** The library suggests by similar letters only, which misses synonyms. */
function suggest(error: CommanderError, intended: string | undefined): CommanderError {
  const { code, exitCode, message } = error
  if (code !== 'commander.unknownCommand' || intended === undefined)
    return new CommanderError(exitCode, code, keepNear(message))
  const [line] = message.split('\n')
  return new CommanderError(exitCode, code, `${line}\n(Did you mean ${intended}?)`)
}

const suggestion =
  /^(?<line>[^\n]*'-*(?<tried>[^'\n]*)'[^\n]*)\n\(Did you mean (?:one of )?(?<names>[^)]*)\?\)$/

/** The library suggests names that differ in half of the letters, such as `logs` for `bogus`. */
function keepNear(message: string): string {
  const { line, tried = '', names } = suggestion.exec(message)?.groups ?? {}
  if (line === undefined || names === undefined) return message
  const near = names.split(', ').filter((name) => {
    const bare = name.replace(/^-+/, '')
    return bare[0] === tried[0] || distance(bare, tried) <= 1
  })
  if (near.length === 0) return line
  return `${line}\n(Did you mean ${near.length > 1 ? 'one of ' : ''}${near.join(', ')}?)`
}

function addCommand(root: Parser, command: Command, { run }: Parsing): void {
  const name = nameOf(command.usage)
  const [group, subcommand] = name.split(' ')
  const parent = subcommand && group ? findOrAddGroup(root, group) : root
  const parser = parent
    .command(command.usage.slice(name.length - (subcommand ?? name).length))
    .description(command.summary)
    .addHelpText(
      'after',
      `\nExamples:\n${command.examples.map((line) => `  $ ${line}`).join('\n')}`,
    )
    .action(() => run(command, parser))
  throwMisuse(parser, `reverie ${name}`)
  for (const option of command.options ?? []) parser.addOption(toOption(option))
}

function findOrAddGroup(root: Parser, name: string): Parser {
  const existing = root.commands.find((command) => command.name() === name)
  if (existing) return existing
  const summary = groups[name] ?? `Commands for ${name}`
  return throwMisuse(root.command(name).description(summary), `reverie ${name}`)
}

function toOption(spec: OptionSpec): Option {
  const { type } = spec
  const option = new Option(spec.flags, spec.description)
  if (type) option.argParser((text, previous) => parseValue(type, text, previous))
  if (spec.choices) option.choices(spec.choices)
  if (spec.default !== undefined) option.default(spec.default)
  if (spec.conflicts) option.conflicts(spec.conflicts)
  return option.makeOptionMandatory(spec.isRequired ?? false)
}

function throwMisuse(parser: Parser, command: string): Parser {
  return parser.exitOverride((error) => {
    throw new Misuse(error, command)
  })
}

/** A parse error, with the command whose help explains the usage. */
class Misuse extends CommanderError {
  readonly command: string

  constructor({ exitCode, code, message }: CommanderError, command: string) {
    super(exitCode, code, keepNear(message))
    this.command = command
  }
}

export function toMisuse(error: CommanderError): Failure {
  const command = error instanceof Misuse ? error.command : 'reverie'
  const missing = error.code === 'commander.help'
  const message = missing ? 'a command is missing' : error.message.replace(/^error: /, '')
  return { exit: 'usage', error: message, code: 'usage', hint: `${command} --help` }
}
