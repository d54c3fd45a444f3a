import type { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { callDaemon, findAddress, readStallMarker, type StallMarker } from './daemon.ts'
import { type Environment, HookSkipped, readEnvironment } from './environment.ts'
import { events, type HookEvent, isEventName, renderReply } from './events.ts'
import { type Payload, readStdin, toPayload } from './input.ts'
import { readTranscript } from './transcript.ts'

/** `stderr` contains the reason for an empty `stdout`, with `--debug`. */
interface HookOutput {
  readonly stdout: string
  readonly stderr: string
}

const graceMs = 2000
const defaultStalledTimeoutMs = 300

/** Runs one hook within the deadline of its event. Never throws. */
export async function runHook(argv: readonly string[], stdin: Readable): Promise<HookOutput> {
  const environment = readEnvironment()
  const debug = environment.debug || argv.includes('--debug')
  try {
    return { stdout: await answer(argv, stdin, environment), stderr: '' }
  } catch (error) {
    const text =
      error instanceof HookSkipped ? `${error.reason}: ${error.message}` : `fault: ${String(error)}`
    return { stdout: '', stderr: debug ? `reverie hook: ${text}\n` : '' }
  }
}

async function answer(argv: readonly string[], stdin: Readable, variables: Environment) {
  if (variables.isBypassed) throw new HookSkipped('bypassed', 'SVC_BYPASS is set')
  const { name, harness, runtimePath, overrides, fields } = parseArguments(argv)
  const environment = { ...variables, ...overrides }
  const event: HookEvent = events[name]
  const address = await findAddress(environment)
  const marker = await readStallMarker(environment.workspace, address)
  const timeoutMs = toTimeoutMs(event, environment, marker)
  return withMarker(marker, () =>
    withinDeadline(timeoutMs, async () => {
      const payload = { ...toPayload(await readStdin(stdin)), ...fields }
      const body = { ...(await toBody(harness, event, payload)), runtimePath }
      const reply = await callDaemon(environment, { address, path: event.path, runtimePath, body })
      return renderReply(harness, name, reply)
    }),
  )
}

/** Parses the arguments after `reverie hook`. Options take precedence over variables and stdin. */
function parseArguments(argv: readonly string[]) {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      harness: { type: 'string', short: 'H' },
      'runtime-path': text,
      project: text,
      summary: text,
      workspace: text,
      url: text,
      debug: { type: 'boolean' },
    },
    allowPositionals: true,
    strict: false,
  })
  const [name = ''] = positionals
  if (!isEventName(name)) throw new HookSkipped('usage', `unknown event ${name}`)
  const pick = (...names: readonly string[]): Readonly<Record<string, string>> =>
    Object.fromEntries(
      names.flatMap((option) => {
        const value = values[option]
        return typeof value === 'string' ? [[option, value]] : []
      }),
    )
  const { harness = 'generic', 'runtime-path': runtimePath = 'legacy' } = pick(
    'harness',
    'runtime-path',
  )
  return {
    name,
    harness,
    runtimePath,
    overrides: pick('workspace', 'url'),
    fields: pick('project', 'summary'),
  }
}

function toTimeoutMs(event: HookEvent, environment: Environment, { isSet }: StallMarker): number {
  const { timeoutMs = environment.promptTimeoutMs + graceMs } = event
  return isSet ? Math.min(timeoutMs, event.stalledTimeoutMs ?? defaultStalledTimeoutMs) : timeoutMs
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

async function toBody(harness: string, event: HookEvent, payload: Payload) {
  const text = event.toBody(payload, harness)
  if (text === undefined) throw new HookSkipped('no_input', 'the payload lacks a required field')
  const { sessionKey, project, transcript, transcriptPath } = payload
  if (!event.sendsTranscript) return { harness, sessionKey, project, ...text }
  const read =
    transcriptPath === undefined ? undefined : () => readTranscript(transcriptPath, harness)
  return { harness, sessionKey, project, ...text, transcript: transcript ?? (await read?.()) }
}

/** Counts from the start of the process. */
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
