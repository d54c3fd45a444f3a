import { CommanderError, Command as Parser } from 'commander'
import type { Command } from './command.ts'
import type { Failure } from './failure.ts'

const groups: Readonly<Record<string, string>> = {
  agents: 'Manage agents',
  embed: 'Check and create vectors',
  sessions: 'Sessions and their transcripts',
  token: 'Manage tokens',
  config: 'Read and change settings',
}

interface Parsing {
  readonly version: string
  /** Errors are said as JSON, by somebody else. */
  readonly json: boolean
  run(command: Command, parsed: Parser): Promise<void>
}

export function createParser(commands: readonly Command[], parsing: Parsing): Parser {
  const root = new Parser('reverie')
    .description('A local memory service for AI agents.')
    .version(parsing.version, '-V, --version')
    .option('--url <address>', 'address of the daemon; overrides SVC_URL')
    .option('--token <token>', 'token; overrides SVC_TOKEN')
    .option('--agent <name>', 'name of the agent; overrides SVC_AGENT_ID')
    .option('--json', 'print one JSON document to stdout, errors as JSON to stderr')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined })
    .exitOverride((error) => {
      throw suggest(error, nameMeant(commands, root.args[0]))
    })
    .addHelpText(
      'after',
      '\nTry:\n  $ reverie start\n  $ reverie remember "I like my tea green"\n  $ reverie completion bash|zsh|fish|pwsh',
    )
  // Handed down to each command as it is made.
  if (parsing.json) root.configureOutput({ writeErr: () => undefined })
  for (const command of commands) addCommand(root, command, parsing)
  return root
}

function nameMeant(commands: readonly Command[], name = ''): string | undefined {
  const meant = commands.find(({ aliases: triedAs = [] }) => triedAs.includes(name))
  return meant?.usage.split(' ')[0]
}

/** Likeness of letters, which is all that the library knows, tells little of what was meant. */
function suggest(error: CommanderError, meant: string | undefined): CommanderError {
  const { code, exitCode, message } = error
  if (code !== 'commander.unknownCommand' || meant === undefined) return error
  const [said] = message.split('\n')
  return new CommanderError(exitCode, code, `${said}\n(Did you mean ${meant}?)`)
}

function addCommand(root: Parser, command: Command, { run }: Parsing): void {
  const [first = '', ...rest] = command.usage.split(' ')
  const summary = groups[first]
  const parent = summary === undefined ? root : (find(root, first) ?? root.command(first))
  if (parent !== root) withMisuse(parent, `reverie ${first}`).description(summary ?? '')
  const parser = parent
    .command((parent === root ? [first, ...rest] : rest).join(' '))
    .description(command.summary)
    .addHelpText(
      'after',
      `\nExamples:\n${command.examples.map((line) => `  $ ${line}`).join('\n')}`,
    )
    .action(() => run(command, parser))
  withMisuse(parser, [parent === root ? 'reverie' : `reverie ${first}`, parser.name()].join(' '))
  for (const option of command.options ?? []) parser.addOption(option)
}

function withMisuse(parser: Parser, command: string): Parser {
  return parser.exitOverride((error) => {
    throw new Misuse(error, command)
  })
}

function find(root: Parser, name: string): Parser | undefined {
  return root.commands.find((command) => command.name() === name)
}

/** What the parser found wrong, with the command whose help says how it is right. */
class Misuse extends CommanderError {
  readonly command: string

  constructor({ exitCode, code, message }: CommanderError, command: string) {
    super(exitCode, code, message)
    this.command = command
  }
}

export function toMisuse(error: CommanderError): Failure {
  const command = error instanceof Misuse ? error.command : 'reverie'
  const missing = error.code === 'commander.help'
  const message = missing ? 'a command is missing' : error.message.replace(/^error: /, '')
  return { exit: 'usage', error: message, code: 'usage', hint: `${command} --help` }
}
