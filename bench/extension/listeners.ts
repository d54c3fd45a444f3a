import { once } from 'node:events'
import { type ClientRequest, get } from 'node:http'
import { type Call, createClient, throwOnError } from '../support/client.ts'
import { inWorkspace, start, stop } from '../support/daemon.ts'
import { createRows } from '../support/rows.ts'
import { median, timeCalls } from '../support/timing.ts'
import type { Figure } from './figure.ts'

const listeners = 64
/** Streams that one caller may have. */
const listenersOfAgent = 8
const count = 400
const rounds = 5

/** Saves over HTTP without and with listeners of all events, in turn. */
export async function measureListeners(): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  await inWorkspace(async (workspace) => {
    const { daemon } = await start(workspace)
    const call = throwOnError(createClient(daemon.url))
    for (let number = 0; number < listeners; number += listenersOfAgent)
      await call('POST /api/agents', { name: toAgent(number) })
    const save = createSaver(call)
    await save()
    const [alone, followed]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      alone.push(await save())
      const streams = await Promise.all(
        Array.from({ length: listeners }, (_, number) => follow(daemon.url, number)),
      )
      followed.push(await save())
      for (const stream of streams) stream.destroy()
    }
    await stop(daemon)
    const [aloneMs, followedMs] = [median(alone), median(followed)]
    figures.push({
      name: `remember, p50 ${followedMs.toFixed(2)} ms with ${listeners} listeners of events; ${aloneMs.toFixed(2)} ms without`,
      value: `${(followedMs / aloneMs).toFixed(2)} ×`,
      limit: '≤ 1.2 ×',
    })
  })
  return figures
}

/** Returns a function that saves distinct memories and returns the median time of one. */
function createSaver(call: Call): () => Promise<number> {
  const rows = createRows()
  let next = 0
  return async () => {
    const { p50Ms } = await timeCalls({ count, clients: 1 }, () =>
      call('POST /api/memory/remember', { content: rows.content(next++) }),
    )
    return p50Ms
  }
}

async function follow(url: string, number: number): Promise<ClientRequest> {
  const headers = { 'x-svc-agent-id': toAgent(number) }
  const request = get(`${url}/api/events`, { headers, agent: false })
  request.on('error', () => undefined)
  const [reply] = await once(request, 'response')
  if (reply.statusCode !== 200) throw new Error(`listener ${number}: ${reply.statusCode}`)
  reply.on('error', () => undefined).resume()
  return request
}

function toAgent(number: number): string {
  return `listener-${Math.floor(number / listenersOfAgent)}`
}
