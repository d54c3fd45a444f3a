import { CommanderError, type Command as Parser } from 'commander'
import type { Call, Command, Program } from './command.ts'
import { agentCommands } from './commands/agents.ts'
import { daemonCommands } from './commands/daemon.ts'
import { embeddingsCommands } from './commands/embeddings.ts'
import { harnessCommands } from './commands/harnesses.ts'
import { hookCommands } from './commands/hook.ts'
import { mcpCommands } from './commands/mcp.ts'
import { memoryCommands } from './commands/memory.ts'
import { operationCommands } from './commands/operations.ts'
import { sessionCommands } from './commands/sessions.ts'
import { transferCommands } from './commands/transfer.ts'
import { addCompletion, completionCommand, isCompletion, toLibraryArguments } from './completion.ts'
import { connect, type GlobalOptions } from './connect.ts'
import { readEnvironment } from './environment.ts'
import { exitCodes, toFailure } from './failure.ts'
import { createOutput } from './output.ts'
import { createParser, toMisuse } from './parser.ts'

const commands: readonly Command[] = [
  ...daemonCommands,
  ...operationCommands,
  ...memoryCommands,
  ...embeddingsCommands,
  ...sessionCommands,
  ...agentCommands,
  ...transferCommands,
  ...harnessCommands,
  ...hookCommands,
  ...mcpCommands,
]

/** Carries out one command line and gives the exit code. */
export async function runCli(argv: readonly string[], program: Program): Promise<number> {
  // A reader that has seen enough, as `head` does, is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const json = argv.includes('--json')
  const listed = isCompletion(argv) ? commands : [...commands, completionCommand]
  const parser = createParser(listed, {
    ...{ version: program.version, json },
    run: (command, parsed) => command.run(toCall(parsed, program)),
  })
  try {
    await parse(parser, argv.length === 0 ? ['--help'] : argv)
    return exitCodes.ok
  } catch (error) {
    const isAboutTheLine = error instanceof CommanderError
    // Help and the version were asked for.
    if (isAboutTheLine && error.exitCode === 0) return exitCodes.ok
    const failure = isAboutTheLine ? toMisuse(error) : toFailure(error)
    createOutput(json).fail(failure)
    return exitCodes[failure.exit]
  }
}

async function parse(parser: Parser, argv: readonly string[]): Promise<void> {
  if (!isCompletion(argv)) return void (await parser.parseAsync(argv, { from: 'user' }))
  await addCompletion(parser)
  // The library looks for its own words where a process has them.
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
