import type { Client } from '../../client/client.ts'
import type { Call } from './command.ts'
import { closedEarly, openEvents } from './read-events.ts'
import type { Row } from './render.ts'

/** Prints the events of a stream, one a line, until Ctrl-C or the end of the connection. */
export async function followEvents(
  { output, connect }: Pick<Call<unknown>, 'output' | 'connect'>,
  route: string,
  input: Parameters<Client['open']>[1],
  render: (event: Row) => string,
): Promise<void> {
  const client = await connect()
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  process.stdout.once('error', () => stopping.abort())
  try {
    const { events } = await openEvents(client, route, { ...input, signal: stopping.signal })
    for await (const { data } of events) {
      const line = output.json ? JSON.stringify(data) : render(data)
      if (line !== '') await output.write(`${line}\n`)
    }
    throw closedEarly(client)
  } catch (error) {
    if (!stopping.signal.aborted) throw error
  }
}
