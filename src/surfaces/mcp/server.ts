import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import type { MountedTool } from '../../kernel/http/tool.ts'
import { neutralize } from '../../kernel/redaction/neutralize.ts'
import { type CallToolNeeds, callTool, failed } from './call-tool.ts'
import { describeTool } from './describe-tool.ts'
import { explainArguments } from './explain-arguments.ts'
import { findOrigin, type McpCall, type OriginNeeds } from './origin.ts'

export interface ServerNeeds extends CallToolNeeds, OriginNeeds {
  readonly tools: readonly MountedTool[]
  readonly version: string
}

/** Creates the server of one request, which identifies the caller. */
export type MakeServer = (call: McpCall) => Server

type ListedTool = ReturnType<typeof describeTool>

interface Serving {
  readonly version: string
  readonly listed: readonly ListedTool[]
  /** Whether the list shows a tool; absent for all. The operation of a hidden tool refuses calls. */
  readonly isVisible?: ((name: string) => boolean) | undefined
  readonly call: (tool: ListedTool, input: unknown) => Promise<CallToolResult>
}

const instructions = `A persistent memory across conversations. Search it before you ask the user for \
something they may have said before. Store what should be known next time, one fact per memory.`

export function createServerMaker(needs: ServerNeeds): MakeServer {
  const { tools, version } = needs
  const listed = tools.map(describeTool)
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return (call) =>
    createServer({
      version,
      listed,
      isVisible: (name) => byName.get(name)?.isOffered?.() ?? true,
      call: async (described, toolInput) => {
        const tool = byName.get(described.name)
        const { data: input, error } = tool?.input.safeParse(toolInput) ?? {}
        if (!tool || !input)
          return failed(explainArguments(described, error?.issues ?? [], toolInput))
        const { invoke, caller } = call
        const origin = () => findOrigin(needs, call, { input, effect: tool.effect })
        return callTool(needs, tool, { invoke, input, origin, requestId: caller.requestId })
      },
    })
}

/** Lists tools and has them called; refuses an unknown tool. */
export function createServer({ version, listed, isVisible = () => true, call }: Serving): Server {
  const server = new Server(
    { name: 'reverie', version },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: listed.filter(({ name }) => isVisible(name)),
  }))
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = listed.find(({ name }) => name === params.name)
    if (tool) return call(tool, params.arguments ?? {})
    const message = neutralize(`Unknown tool: ${params.name}`)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
  })
  return server
}
