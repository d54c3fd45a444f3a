import { CommanderError, Command as Parser } from 'commander'
import { type Client, createClient } from '../../client/client.ts'
import type { Call, Command, Program } from './command.ts'
import { agentCommands } from './commands/agents.ts'
import { daemonCommands } from './commands/daemon.ts'
import { embeddingsCommands } from './commands/embeddings.ts'
import { harnessCommands } from './commands/harnesses.ts'
import { hookCommands } from './commands/hook.ts'
import { mcpCommands } from './commands/mcp.ts'
import { memoryCommands } from './commands/memory.ts'
import { operationCommands } from './commands/operations.ts'
import { transferCommands } from './commands/transfer.ts'
import { addCompletion, isCompletion, toLibraryArguments } from './completion.ts'
import { findDaemonFile } from './daemon-file.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { CliError, exitCodes, type Failure, toFailure } from './failure.ts'
import { createOutput } from './output.ts'

const commands: readonly Command[] = [
  ...daemonCommands,
  ...operationCommands,
  ...memoryCommands,
  ...embeddingsCommands,
  ...agentCommands,
  ...transferCommands,
  ...harnessCommands,
  ...hookCommands,
  ...mcpCommands,
]

const groups: Readonly<Record<string, string>> = {
  agents: 'The agents that remember here',
  embed: 'The vectors of what is remembered',
  token: 'Credentials',
  config: 'The configuration of the daemon',
}

interface GlobalOptions {
  readonly url?: string
  readonly token?: string
  readonly agent?: string
  readonly json?: boolean
}

/** Carries out one command line and gives the exit code. */
export async function runCli(argv: readonly string[], program: Program): Promise<number> {
  // A reader that has seen enough, as `head` does, is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const json = argv.includes('--json')
  const parser = createParser(program, json)
  try {
    await parse(parser, argv.length === 0 ? ['--help'] : argv)
    return exitCodes.ok
  } catch (error) {
    const output = createOutput(json)
    if (!(error instanceof CommanderError)) {
      const failure = toFailure(error)
      output.fail(failure)
      return exitCodes[failure.exit]
    }
    if (error.exitCode === 0) return exitCodes.ok
    output.fail(toMisuse(error))
    return exitCodes.usage
  }
}

/** What the parser found wrong, with the command whose help says how it is right. */
class Misuse extends CommanderError {
  readonly command: string

  constructor({ exitCode, code, message }: CommanderError, command: string) {
    super(exitCode, code, message)
    this.command = command
  }
}

function toMisuse(error: CommanderError): Failure {
  const command = error instanceof Misuse ? error.command : 'reverie'
  const missing = error.code === 'commander.help'
  const message = missing ? 'a command is missing' : error.message.replace(/^error: /, '')
  return { exit: 'usage', error: message, code: 'usage', hint: `${command} --help` }
}

async function parse(parser: Parser, argv: readonly string[]): Promise<void> {
  if (!isCompletion(argv)) return void (await parser.parseAsync(argv, { from: 'user' }))
  await addCompletion(parser)
  // The library looks for its own words where a process has them.
  await parser.parseAsync(['node', 'reverie', ...toLibraryArguments(argv)])
}

function createParser(program: Program, json: boolean): Parser {
  const root = new Parser('reverie')
    .description('A memory for AI agents, on this machine.')
    .version(program.version, '-V, --version')
    .option('--url <address>', 'where the daemon is, instead of SVC_URL')
    .option('--token <token>', 'the credential, instead of SVC_TOKEN')
    .option('--agent <name>', 'the agent in whose name, instead of SVC_AGENT_ID')
    .option('--json', 'one JSON document on stdout, errors as JSON on stderr')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .addHelpText(
      'after',
      '\nTry:\n  $ reverie start\n  $ reverie remember "I like my tea green"\n  $ reverie completion bash|zsh|fish|pwsh',
    )
  // Handed down to each command as it is made.
  if (json) root.configureOutput({ writeErr: () => undefined })
  for (const command of commands) addCommand(root, command, program)
  return root
}

function addCommand(root: Parser, command: Command, program: Program): void {
  const [first = '', ...rest] = command.usage.split(' ')
  const summary = groups[first]
  const parent = summary === undefined ? root : (find(root, first) ?? root.command(first))
  if (parent !== root) tellMisuse(parent, `reverie ${first}`).description(summary ?? '')
  const parser = parent
    .command((parent === root ? [first, ...rest] : rest).join(' '))
    .description(command.summary)
    .addHelpText(
      'after',
      `\nExamples:\n${command.examples.map((line) => `  $ ${line}`).join('\n')}`,
    )
    .action(() => command.run(toCall(parser, program)))
  tellMisuse(parser, [parent === root ? 'reverie' : `reverie ${first}`, parser.name()].join(' '))
  for (const option of command.options ?? []) parser.addOption(option)
}

function tellMisuse(parser: Parser, command: string): Parser {
  return parser.exitOverride((error) => {
    throw new Misuse(error, command)
  })
}

function find(root: Parser, name: string): Parser | undefined {
  return root.commands.find((command) => command.name() === name)
}

function toCall(parser: Parser, program: Program): Call {
  const options = parser.optsWithGlobals<GlobalOptions>()
  const environment = readEnvironment()
  return {
    args: parser.args,
    options: { ...options },
    environment,
    output: createOutput(options.json ?? false),
    program,
    connect: () => connect(environment, options),
  }
}

async function connect(environment: Environment, options: GlobalOptions): Promise<Client> {
  const url = options.url ?? environment.url ?? (await addressIn(environment))
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new CliError(
      'usage',
      'bad_address',
      `${url} is no address`,
      'Like: http://127.0.0.1:3850',
    )
  return createClient({
    url,
    token: options.token ?? environment.token,
    agentId: options.agent ?? environment.agentId,
  })
}

async function addressIn({ workspace, port }: Environment): Promise<string> {
  return (await findDaemonFile(workspace))?.url ?? `http://127.0.0.1:${port}`
}
