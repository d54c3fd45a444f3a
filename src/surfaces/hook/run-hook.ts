import type { Readable } from 'node:stream'
import { type Arguments, parseArguments } from './arguments.ts'
import { askDaemon } from './ask-daemon.ts'
import { type Environment, readEnvironment } from './environment.ts'
import { events, type HookEvent } from './events.ts'
import { findAddress } from './find-address.ts'
import { NoAnswer } from './no-answer.ts'
import { type Payload, toPayload } from './payload.ts'
import { readStdin } from './read-stdin.ts'
import { readTranscript } from './read-transcript.ts'
import { renderReply } from './replies.ts'
import { readStallMarker, type StallMarker } from './stall-marker.ts'

export interface Heard {
  /** What the harness is told. */
  readonly stdout: string
  /** Why it is nothing, for who asked for it. */
  readonly stderr: string
}

const nothing: Heard = { stdout: '', stderr: '' }

/** Carries out one hook; never throws for what happens outside, and never takes longer than the event may. */
export async function runHook(argv: readonly string[], stdin: Readable): Promise<Heard> {
  const environment = readEnvironment()
  const debug = environment.debug || argv.includes('--debug')
  try {
    return { ...nothing, stdout: await answer(argv, stdin, environment) }
  } catch (error) {
    const told =
      error instanceof NoAnswer ? `${error.reason}: ${error.message}` : `fault: ${String(error)}`
    return debug ? { ...nothing, stderr: `reverie hook: ${told}\n` } : nothing
  }
}

async function answer(argv: readonly string[], stdin: Readable, shell: Environment) {
  if (shell.isBypassed) throw new NoAnswer('bypassed', 'SVC_BYPASS is set')
  const asked = parseArguments(argv)
  const environment = withOptions(shell, asked)
  const event: HookEvent = events[asked.event]
  const address = await findAddress(environment)
  const marker = await readStallMarker(environment.workspace, address)
  const timeoutMs = toTimeoutMs(event, environment, marker)
  return withMarker(marker, () =>
    inTime(timeoutMs, async () => {
      const said = toPayload(await readStdin(stdin))
      const payload: Payload = {
        ...said,
        ...(asked.project !== undefined && { project: asked.project }),
        ...(asked.summary !== undefined && { summary: asked.summary }),
      }
      const body = await toBody(asked, event, payload)
      const { runtimePath } = asked
      const reply = await askDaemon(environment, { address, path: event.path, runtimePath, body })
      return renderReply(asked.harness, asked.event, reply)
    }),
  )
}

function toTimeoutMs(event: HookEvent, environment: Environment, { isSet }: StallMarker): number {
  const timeoutMs = event.timeoutMs(environment)
  return isSet ? Math.min(timeoutMs, event.stalledTimeoutMs) : timeoutMs
}

/** Sets the marker after a time-out, and clears it after a response of any kind. */
async function withMarker<Result>(
  { isSet, set, clear }: StallMarker,
  send: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await send()
    if (isSet) await clear()
    return result
  } catch (error) {
    const reason = error instanceof NoAnswer ? error.reason : undefined
    if (reason === 'slow' && !isSet) await set()
    if (reason === 'refused' && isSet) await clear()
    throw error
  }
}

/** The options of the call precede the variables. */
function withOptions(environment: Environment, { workspace, url }: Arguments): Environment {
  return {
    ...environment,
    ...(workspace !== undefined && { workspace }),
    ...(url !== undefined && { url }),
  }
}

async function toBody({ harness, runtimePath }: Arguments, event: HookEvent, payload: Payload) {
  const told = event.tell(payload, harness)
  if (told === undefined) throw new NoAnswer('no_input', 'the harness says too little')
  const { sessionKey, project, transcript, transcriptPath } = payload
  const isRead = event.sendsTranscript && transcript === undefined && transcriptPath !== undefined
  const read = isRead ? await readTranscript(transcriptPath, harness) : undefined
  const sent = event.sendsTranscript ? (transcript ?? read) : undefined
  return { harness, sessionKey, project, runtimePath, ...told, transcript: sent }
}

/** The time that the process took to start counts too. */
async function inTime<Result>(timeoutMs: number, work: () => Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const leftMs = Math.max(1, timeoutMs - process.uptime() * 1000)
  const timer = setTimeout(
    () => late.reject(new NoAnswer('slow', `no answer within ${timeoutMs} ms`)),
    leftMs,
  )
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
