import { afterAll, expect, test } from 'vitest'
import { type As, clients, type McpClient } from './mcp-client.ts'
import { type Service, startService } from './start-service.ts'
import { idOf } from './tools.ts'

export type Fields = Readonly<Record<string, unknown>>

/** For each argument of a tool, the check that it has an effect. */
export type Arguments = Readonly<Record<string, () => Promise<void>>>

/** A connection for the tests of the file, and the replies of its tools. */
export async function connectTools(service: Service, as: As = {}) {
  const client = await clients['newest over HTTP'](service, as)
  afterAll(() => client.close())
  const answerOf = async (name: string, input: Fields) => {
    const answer = await client.call(name, input)
    expect(answer.isError, answer.text).toBe(false)
    return answer
  }
  const call = async (name: string, input: Fields) =>
    JSON.parse((await answerOf(name, input)).text) as Fields
  const search = async (input: Fields) =>
    (await answerOf('memory_search', input)).structured as unknown as Searched
  return {
    client,
    call,
    search,
    textOf: async (name: string, input: Fields) => (await answerOf(name, input)).text,
    find: async (input: Fields) => (await search(input)).results,
    store: async (input: Fields) => idOf((await answerOf('memory_store', input)).text),
    get: (id: string) => call('memory_get', { id }),
    refusalOf: async (name: string, input: Fields) => {
      const { text, isError } = await client.call(name, input)
      expect(isError).toBe(true)
      return text
    },
  }
}

/** A service for tool tests, with a named agent and without one. */
export async function serveTools() {
  const service = await startService({ engine: 'sqlite' })
  afterAll(() => service.stop())
  const ada = await connectTools(service)
  return { service, ada, anonymous: await connectTools(service, { agent: '' }) }
}

interface Searched {
  readonly results: readonly Found[]
}

interface Found {
  readonly id: string
  readonly score: number
  readonly content: string
}

/** A listed argument without a test fails, and so does a test of an unlisted argument. */
export function testArguments(client: McpClient, cases: Readonly<Record<string, Arguments>>): void {
  test.each(Object.keys(cases))('every argument of %s is tested', async (name) => {
    const listed = (await client.listTools()).find((tool) => tool.name === name)

    expect(Object.keys(cases[name] ?? {}).toSorted()).toEqual(
      Object.keys(listed?.inputSchema.properties ?? {}).toSorted(),
    )
  })
  const all = Object.entries(cases).flatMap(([tool, tested]) =>
    Object.entries(tested).map(([argument, run]) => ({ tool, argument, run })),
  )
  test.each(all)('$tool honors its argument $argument', ({ run }) => run())
}
