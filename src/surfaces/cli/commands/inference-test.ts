import type { Client } from '../../../client/client.ts'
import { type Call, command } from '../command.ts'
import { colors, type Output, toLine } from '../output.ts'
import { busyWith } from '../progress.ts'
import { type Row, renderDetail, toRows } from '../render.ts'

/** Models that reason spend tokens before their reply. */
const maxTokens = 512
const timeoutMs = 60_000

export const testTarget = command({
  usage: 'inference test <ref>',
  summary: 'Make one short call to a target, and print its model, duration and tokens',
  examples: ['reverie inference test home/small'],
  run: test,
})

async function test({ args: [ref = ''], output, connect }: Call): Promise<void> {
  const client = await connect()
  const call = await callTarget(client, output, ref)
  output.result(call, () => renderCall(call))
}

/** Throws with the reason if the target does not answer. No other target is called. */
export async function callTarget(client: Client, output: Output, ref: string): Promise<Row> {
  const body = {
    prompt: 'Reply with the word: ready',
    explicitTargets: [ref],
    maxTokens,
    timeoutMs,
  }
  const input = { body: { ...body, refresh: true }, timeoutMs: timeoutMs + 10_000 }
  const work = () => client.call('POST /api/inference/execute', input)
  const reply = Object(await busyWith(output, `Calling ${toLine(ref)}`, work)) as Row
  const { inputTokens = null, outputTokens = null } = Object(reply['usage']) as Row
  const { durationMs = null } = toRows(reply['attempts']).at(-1) ?? {}
  const model = await readModelName(client, ref)
  return { targetRef: ref, model, durationMs, inputTokens, outputTokens }
}

async function readModelName(client: Client, ref: string): Promise<unknown> {
  const [target = '', ...key] = ref.split('/')
  const { targets } = Object(await client.call('GET /api/inference/status'))
  return Object(Object(Object(targets)[target]).models)[key.join('/')]?.model ?? null
}

export function renderCall({ targetRef, model, durationMs, inputTokens, outputTokens }: Row) {
  const tokens = `${inputTokens ?? 'unknown'} in, ${outputTokens ?? 'unknown'} out`
  const detail = renderDetail({ model, duration: `${durationMs} ms`, tokens })
  return `${colors.green('✓')} ${toLine(String(targetRef))} answers\n${detail}`
}
