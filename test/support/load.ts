import type { Service } from './start-service.ts'

interface Sent {
  readonly word: string
  /** Undefined if no answer came. */
  readonly status: number | undefined
  readonly id: string | undefined
}

export interface LoadOptions {
  /** Prefix of every word, so that two loads never share words. */
  readonly name: string
  readonly clients: number
  /** Called after each acknowledged memory with their number. */
  readonly acknowledged: (count: number) => void
  /** Limit if no test stops the service. */
  readonly atMost?: number
}

/** Many clients save memories, one after another each, until the service is gone. */
export async function rememberUntilGone(service: Service, options: LoadOptions): Promise<Sent[]> {
  const sent: Sent[] = []
  let count = 0
  const client = async (number: number) => {
    for (let turn = 0; sent.length < (options.atMost ?? 20_000); turn++) {
      const word = `${options.name}x${number}x${turn}`
      const outcome = await rememberWord(service, word)
      sent.push(outcome)
      if (outcome.status === 200) options.acknowledged(++count)
      if (outcome.status !== 200) return
    }
  }
  await Promise.all(Array.from({ length: options.clients }, (_, number) => client(number)))
  return sent
}

async function rememberWord(service: Service, word: string): Promise<Sent> {
  try {
    const body = { content: `${word} is what this memory says` }
    const reply = await service.ask('POST /api/memory/remember', { body })
    return { word, status: reply.status, id: reply.body['id'] as string | undefined }
  } catch {
    return { word, status: undefined, id: undefined }
  }
}

/** Whether all rounds run: `npm run test:all` sets it. */
export const isLong = process.env['SVC_TEST_ROUNDS'] === 'all'

/** Gives all rounds in a long run, and `count` evenly spaced rounds otherwise. */
export function sampleRounds<Round>(rounds: readonly Round[], count: number): readonly Round[] {
  if (isLong) return rounds
  const step = (rounds.length - 1) / Math.max(1, count - 1)
  return rounds.filter((_, index) =>
    Array.from({ length: count }, (_, sample) => Math.round(sample * step)).includes(index),
  )
}

/** Calls for each item, a few at a time. */
export async function forEachOf<Item>(
  items: readonly Item[],
  call: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await call(item)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
