// usage: node bench/inference/library-alone.ts URL MODEL ROUNDS. Prints the CPU time of one stream in ms.
import { openAiCompatible } from '../../src/capabilities/inference/targets/openai-compatible.ts'
import type { TargetCall } from '../../src/capabilities/inference/targets/target.ts'

const [, , baseUrl = '', name = '', rounds = '1'] = process.argv
const connection = { baseUrl, credential: '', fetch }
const model = openAiCompatible.createModel(connection, { model: name } as TargetCall)

await readStream()
const before = process.cpuUsage()
for (let round = 0; round < Number(rounds); round++) await readStream()
const { user, system } = process.cpuUsage(before)
process.stdout.write(`${(user + system) / 1_000 / Number(rounds)}\n`)

async function readStream(): Promise<void> {
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Count.' }] }],
  })
  let length = 0
  for await (const part of stream) if (part.type === 'text-delta') length += part.delta.length
  if (length === 0) throw new Error('The stream was empty.')
}
