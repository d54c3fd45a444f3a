import { z } from 'zod'
import { type Message, message } from '../../messages.ts'
import { readJson, type StoredReply, UnreadableEntry } from '../cache-entry.ts'
import { type KnownChannel, readChannelList } from '../channel-list.ts'

/** What a reply says. An error class would be lost between threads. */
export type ReadReply<Value> = { readonly value: Value } | { readonly problem: string }

type Bytes = { readonly [Name in keyof StoredReply]: Uint8Array }

export async function readMessages(reply: Bytes): Promise<ReadReply<readonly Message[]>> {
  return read(reply, parseMessages)
}

export async function readChannels(task: {
  readonly key: string
  readonly reply: Bytes
}): Promise<ReadReply<readonly (readonly [string, KnownChannel])[]>> {
  return read(task.reply, (json) => readChannelList(task.key, json))
}

async function read<Value>(
  { headers, body }: Bytes,
  parse: (json: unknown) => Value,
): Promise<ReadReply<Value>> {
  try {
    const stored = { headers: Buffer.from(headers), body: Buffer.from(body) }
    return { value: parse(await readJson(stored)) }
  } catch (error) {
    if (error instanceof UnreadableEntry) return { problem: error.message }
    throw error
  }
}

/** Each message on its own, so that a new form of one leaves the others readable. */
function parseMessages(reply: unknown): readonly Message[] {
  const each = z.array(z.unknown()).max(1_000).safeParse(reply).data ?? []
  return each.flatMap((one) => {
    const { data } = message.safeParse(one)
    return data && Number.isFinite(Date.parse(data.timestamp)) ? [data] : []
  })
}
