import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { commandEnvironment, harnessEnvironment } from '../../../kernel/process/environment.ts'
import { findProgram } from '../../../kernel/process/find-program.ts'
import { runProcess } from '../../../kernel/process/run-process.ts'
import { type AgentCli, agentClis, type ProgramReply } from './agent-cli.ts'
import { toTargetError } from './errors.ts'
import { flatten } from './flatten.ts'
import { createSlots } from './slots.ts'
import { noUsage, type Target, type TargetCall, TargetError, type TargetNeeds } from './target.ts'

/** What a call runs. */
interface Invocation {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Default: an empty folder. */
  readonly cwd?: string | undefined
  read(output: string): ProgramReply
}

/** The signal of the call ends it earlier. */
const maxCallMs = 3_600_000
const maxConcurrency = 2
/** The model name for which the program uses its own default. */
const defaultModel = 'default'
const timedOutCode = 124
const maxErrorLength = 200

/** A command or an agent CLI: the prompt on standard input, the answer on standard output. */
export function createProgramTarget(needs: TargetNeeds): Target {
  const slots = createSlots(maxConcurrency)
  const complete: Target['complete'] = async (call) => {
    const release = await slots.acquire(call.signal)
    if (!release) throw aborted()
    try {
      const { text, usage } = await run(needs, call)
      return { text, toolCalls: [], finishReason: 'stop', usage }
    } catch (error) {
      throw call.signal.aborted ? aborted() : toTargetError(error)
    } finally {
      release()
    }
  }
  return {
    complete,
    // The programs print their answer at the end.
    stream: async function* (call) {
      const { text, finishReason, usage } = await complete(call)
      yield { type: 'text-delta', text }
      yield { type: 'finish', finishReason, usage }
    },
  }
}

const aborted = () => new TargetError('The call was aborted.', { kind: 'aborted' })

async function run(needs: TargetNeeds, call: TargetCall): Promise<ProgramReply> {
  const { program, args, env, cwd, read } = toInvocation(needs, call)
  const command = await findProgram(program, needs.variables)
  if (command === undefined)
    throw new TargetError(`The program ${program} is not installed.`, {
      kind: 'runtime_unavailable',
      explanation: `The program ${program} of target ${needs.settings.id} is not installed. Install it, or start the daemon with its folder in PATH`,
    })
  const folder = await mkdtemp(join(needs.variables['TMPDIR'] ?? '/tmp', 'reverie-model-'))
  try {
    const result = await runProcess(needs, {
      purpose: 'model call',
      command,
      args,
      env,
      cwd: cwd ?? folder,
      input: flatten(call),
      timeoutMs: maxCallMs,
      maxOutputBytes: call.limits.maxReplyBytes,
      signal: call.signal,
    })
    call.signal.throwIfAborted()
    return readResult(result, { program, read, call })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function toInvocation(needs: TargetNeeds, call: TargetCall): Invocation {
  const { executor, command } = needs.settings
  const cli: AgentCli | undefined = Object.entries(agentClis).find(
    ([name]) => name === executor,
  )?.[1]
  if (cli) {
    const model = call.model === defaultModel ? undefined : call.model
    const session = { agentId: call.agentId, daemonUrl: needs.daemonUrl }
    const env = { ...harnessEnvironment(needs.variables, session), ...cli.env }
    return { program: cli.program, args: cli.args(model), env, read: cli.read }
  }
  if (!command) throw new TypeError('The target has no command.')
  return {
    program: command.bin,
    args: command.args,
    env: { ...commandEnvironment(needs.variables, needs.pass), ...command.env },
    cwd: command.cwd,
    read: (output) => ({ text: output.trim(), usage: noUsage }),
  }
}

interface Reading extends Pick<Invocation, 'program' | 'read'> {
  readonly call: TargetCall
}

/** Some programs report a failure in their output, others by their exit code. */
function readResult(
  { code, stdout, stdoutTruncated }: Awaited<ReturnType<typeof runProcess>>,
  { program, read, call }: Reading,
): ProgramReply {
  const reply = tryRead(read, stdout)
  const providerMessage = reply?.error?.slice(0, maxErrorLength)
  if (code === timedOutCode) throw new TargetError('The program did not end.', { kind: 'timeout' })
  if (code !== 0 || providerMessage !== undefined)
    throw new TargetError(`The program ${program} failed with exit code ${code}.`, {
      kind: 'http',
      explanation: `The program ${program} failed with exit code ${code}`,
      providerMessage,
    })
  if (!reply || stdoutTruncated || reply.text.length > call.limits.maxTextChars)
    throw new TargetError(`The output of ${program} is invalid or too long.`, {
      kind: 'invalid_reply',
    })
  return reply
}

function tryRead(read: Invocation['read'], output: string): ProgramReply | undefined {
  try {
    return read(output)
  } catch {
    return undefined
  }
}
