import { CommanderError, type Command as Parser } from 'commander'
import type { Call, Command, Program } from './command.ts'
import { listCommands, narrowTo, readCommandLine } from './commands.ts'
import {
  addCompletion,
  assertShell,
  completionCommand,
  isCompletion,
  toLibraryArguments,
} from './completion.ts'
import { connect, type GlobalOptions, readEnvironment } from './environment.ts'
import { exitCodes, ProgramExit, toFailure } from './failure.ts'
import { createOutput } from './output.ts'
import { createParser, toMisuse } from './parser.ts'

/** Runs one command line and returns the exit code. Tests pass the commands. */
export async function runCli(
  argv: readonly string[],
  program: Program,
  commands?: readonly Command[],
): Promise<number> {
  const json = argv.includes('--json')
  const create = (commands: readonly Command[]) =>
    createParser(commands, {
      version: program.version,
      json,
      run: (command, parsed) => command.run(toCall(parsed, program)),
    })
  try {
    await (isCompletion(argv) ? complete : execute)(create, argv, commands)
    return exitCodes.ok
  } catch (error) {
    if (error instanceof ProgramExit) return error.exitCode
    const isParsing = error instanceof CommanderError
    // `--help` and `--version` end the parsing too.
    if (isParsing && error.exitCode === 0) return exitCodes.ok
    const failure = isParsing ? toMisuse(error) : toFailure(error)
    createOutput(json).fail(failure)
    return exitCodes[failure.exit]
  }
}

type Create = (commands: readonly Command[]) => Parser

async function execute(create: Create, argv: readonly string[], commands?: readonly Command[]) {
  const line = commands ? narrowTo(commands, argv) : await readCommandLine(argv)
  const isOne = line.commands.length === 1
  const parser = create(isOne ? line.commands : [...line.commands, completionCommand])
  await parser.parseAsync(argv.length === 0 ? ['--help'] : line.argv, { from: 'user' })
}

async function complete(create: Create, argv: readonly string[], commands?: readonly Command[]) {
  assertShell(argv)
  const parser = create(commands ?? (await listCommands()))
  await addCompletion(parser)
  // The library expects its arguments where a process has them.
  await parser.parseAsync(['node', 'reverie', ...toLibraryArguments(argv)])
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
