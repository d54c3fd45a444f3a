import type { Ask, Service } from './start-service.ts'

interface Listed {
  readonly name: string
}

type Result<Value> = { readonly result: Value }

/** The id in the reply to a store call. */
export function idOf(receipt: string): string {
  return /\nid (?<id>\S+)$/.exec(receipt)?.groups?.['id'] ?? ''
}

/** The names of the served tools. */
export async function listTools(service: Pick<Service, 'ask'>): Promise<readonly string[]> {
  const { result } = await send<{ readonly tools: readonly Listed[] }>(service, 'tools/list', {})
  return result.tools.map(({ name }) => name)
}

/** The text that a model reads of a call, without a client library. */
export async function callTool(
  service: Pick<Service, 'ask'>,
  call: { readonly name: string; readonly arguments: object },
  as: Ask = {},
): Promise<string> {
  return JSON.stringify(await send(service, 'tools/call', call, as))
}

async function send<Value>(
  service: Pick<Service, 'ask'>,
  method: string,
  params: object,
  as: Ask = {},
) {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  return (await service.ask('POST /mcp', { ...as, body })).body as unknown as Result<Value>
}
