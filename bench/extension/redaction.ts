import { createStreamRedactor } from '../../src/kernel/process/redact.ts'
import { createRandom } from '../support/rows.ts'
import { median } from '../support/timing.ts'
import type { Figure } from './figure.ts'

const secretLength = 40
const outputBytes = 32 * 1_048_576
const chunkBytes = 65_536
const rounds = 5

/** The throughput of the redactor on one core. */
export async function measureRedaction(): Promise<readonly Figure[]> {
  const random = createRandom(1)
  const secrets = Array.from({ length: 32 }, () => createText(random, secretLength, letters))
  const output = Buffer.from(createText(random, 1_048_576, printed))
  const times = new Map([1, 32].map((count) => [count, [] as number[]]))
  for (let round = -1; round < rounds; round++)
    for (const [count, all] of times) {
      const ms = redact(secrets.slice(0, count), output)
      // The first round warms up the compiler.
      if (round >= 0) all.push(ms)
    }
  const [one = 0, many = 0] = [...times.values()].map(median)
  const speed = (outputBytes / 1e6 / many) * 1000
  return [
    {
      name: 'redaction with 32 secrets of 40 characters',
      value: `${speed.toFixed(0)} MB/s`,
      limit: '≥ 25 MB/s',
    },
    {
      name: 'the same, time relative to one secret',
      value: `${(many / one).toFixed(2)} ×`,
      limit: '≤ 4 ×',
    },
  ]
}

function redact(secrets: readonly string[], output: Buffer): number {
  const redactor = createStreamRedactor(secrets)
  const startedMs = readCpuMs()
  for (let sent = 0; sent < outputBytes; sent += output.length)
    for (let at = 0; at < output.length; at += chunkBytes)
      redactor.push(output.subarray(at, at + chunkBytes))
  redactor.end()
  return readCpuMs() - startedMs
}

/** CPU time of this thread, which excludes other processes. */
function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const printed = `${letters}     \n.,:/-_=`

function createText(random: () => number, length: number, alphabet: string): string {
  const pick = () => alphabet[Math.floor(random() * alphabet.length)]
  return Array.from({ length }, pick).join('')
}
