import type { Readable } from 'node:stream'
import { callDaemon, findAddress, readStallMarker, type StallMarker } from './daemon.ts'
import {
  type Arguments,
  type Environment,
  HookSkipped,
  parseArguments,
  readEnvironment,
} from './environment.ts'

import { events, type HookEvent, renderReply } from './events.ts'

import { type Payload, readStdin, toPayload } from './input.ts'

import { readTranscript } from './transcript.ts'

export interface HookOutput {
  /** What the harness is told. */
  readonly stdout: string
  /** Why it is nothing, for who asked for it. */
  readonly stderr: string
}

const emptyOutput: HookOutput = { stdout: '', stderr: '' }

/** Carries out one hook; never throws for what happens outside, and never takes longer than the event may. */
export async function runHook(argv: readonly string[], stdin: Readable): Promise<HookOutput> {
  const environment = readEnvironment()
  const debug = environment.debug || argv.includes('--debug')
  try {
    return { ...emptyOutput, stdout: await answer(argv, stdin, environment) }
  } catch (error) {
    const text =
      error instanceof HookSkipped ? `${error.reason}: ${error.message}` : `fault: ${String(error)}`
    return debug ? { ...emptyOutput, stderr: `reverie hook: ${text}\n` } : emptyOutput
  }
}

async function answer(argv: readonly string[], stdin: Readable, shell: Environment) {
  if (shell.isBypassed) throw new HookSkipped('bypassed', 'SVC_BYPASS is set')
  const call = parseArguments(argv)
  const environment = withOptions(shell, call)
  const event: HookEvent = events[call.event]
  const address = await findAddress(environment)
  const marker = await readStallMarker(environment.workspace, address)
  const timeoutMs = toTimeoutMs(event, environment, marker)
  return withMarker(marker, () =>
    withinDeadline(timeoutMs, async () => {
      const input = toPayload(await readStdin(stdin))
      const payload: Payload = {
        ...input,
        ...(call.project !== undefined && { project: call.project }),
        ...(call.summary !== undefined && { summary: call.summary }),
      }
      const body = await toBody(call, event, payload)
      const { runtimePath } = call
      const reply = await callDaemon(environment, { address, path: event.path, runtimePath, body })
      return renderReply(call.harness, call.event, reply)
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
    const reason = error instanceof HookSkipped ? error.reason : undefined
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
  const text = event.toBody(payload, harness)
  if (text === undefined) throw new HookSkipped('no_input', 'the payload lacks a required field')
  const { sessionKey, project, transcript, transcriptPath } = payload
  const isRead = event.sendsTranscript && transcript === undefined && transcriptPath !== undefined
  const read = isRead ? await readTranscript(transcriptPath, harness) : undefined
  const sent = event.sendsTranscript ? (transcript ?? read) : undefined
  return { harness, sessionKey, project, runtimePath, ...text, transcript: sent }
}

/** The time that the process took to start counts too. */
async function withinDeadline<Result>(
  timeoutMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const leftMs = Math.max(1, timeoutMs - process.uptime() * 1000)
  const timer = setTimeout(
    () => late.reject(new HookSkipped('slow', `no reply within ${timeoutMs} ms`)),
    leftMs,
  )
  try {
    return await Promise.race([work(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
