import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as EarlierStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as EarlierHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Service } from './start-service.ts'
import { testHome } from './test-home.ts'

/** The client's identity: an operator for the agent ada by default, no agent for ''. */
export interface As {
  readonly agent?: string
  readonly token?: string
  /** The home folder of a process that a test starts for the client. */
  readonly home?: string
}

interface ToolResult {
  readonly isError: boolean
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>> | undefined
}

export interface McpClient {
  listTools(): Promise<readonly ListedTool[]>
  call(name: string, input?: Readonly<Record<string, unknown>>): Promise<ToolResult>
  close(): Promise<void>
}

interface ListedTool {
  readonly name: string
  readonly inputSchema: {
    readonly properties?: Readonly<Record<string, unknown>> | undefined
    readonly required?: readonly string[] | undefined
  }
  readonly annotations?: Readonly<Record<string, unknown>> | undefined
}

const self = { name: 'test', version: '1' }
const command = process.execPath

/** The server to connect to. */
type Address = Pick<Service, 'url' | 'tokenFor'>

/** The official clients of both generations, each over both transports. */
export const clients = {
  'newest over HTTP': (service: Address, as: As = {}) =>
    connectNewest(
      new StreamableHTTPClientTransport(new URL('/mcp', service.url), httpAs(service, as)),
    ),
  'earlier over HTTP': (service: Address, as: As = {}) =>
    // Its types lack exact optional properties.
    connectEarlier(
      new EarlierHttp(new URL('/mcp', service.url), httpAs(service, as)) as unknown as Transport,
    ),
  'newest over stdio': (service: Address, as: As = {}) =>
    connectNewest(new StdioClientTransport(stdioAs(service, as))),
  'earlier over stdio': (service: Address, as: As = {}) =>
    connectEarlier(new EarlierStdio(stdioAs(service, as))),
}

async function connectNewest(
  transport: StreamableHTTPClientTransport | StdioClientTransport,
): Promise<McpClient> {
  const client = new Client(self, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(transport)
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, input = {}) =>
      toResult(await client.callTool({ name, arguments: { ...input } })),
    close: () => client.close(),
  }
}

async function connectEarlier(transport: Transport): Promise<McpClient> {
  const client = new EarlierClient(self)
  await client.connect(transport)
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, input = {}) =>
      toResult(await client.callTool({ name, arguments: { ...input } })),
    close: () => client.close(),
  }
}

function httpAs(service: Address, { agent = 'ada', token = service.tokenFor('operator') }: As) {
  const headers = { authorization: `Bearer ${token}`, 'x-svc-agent-id': agent }
  return { requestInit: { headers } }
}

function stdioAs(service: Address, as: As) {
  const { agent = 'ada', token = service.tokenFor('operator'), home = testHome } = as
  const { PATH = '' } = process.env
  const env = { PATH, HOME: home, SVC_URL: service.url, SVC_TOKEN: token, SVC_AGENT_ID: agent }
  return { command, args: ['dist/main.js', 'mcp'], env, stderr: 'ignore' as const }
}

function toResult(result: object): ToolResult {
  const { content, isError, structuredContent } = result as {
    content: readonly { text?: string }[]
    isError?: boolean
    structuredContent?: Readonly<Record<string, unknown>>
  }
  const text = content.map(({ text = '' }) => text).join('\n')
  return { isError: isError === true, text, structured: structuredContent }
}
