import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Call } from '../../kernel/http/route.ts'
import type { MountedTool } from '../../kernel/http/tool.ts'
import { neutralize } from '../../kernel/hygiene/neutralize.ts'
import { type CallToolNeeds, callTool } from './call-tool.ts'
import { describeTool } from './describe-tool.ts'

export interface ServerNeeds extends CallToolNeeds {
  readonly tools: readonly MountedTool[]
  readonly version: string
}

/** A request's own server: who asks hangs on the request. */
export type MakeServer = (
  call: Pick<Call<unknown, unknown, unknown>, 'carryOut' | 'caller'>,
) => Server

const instructions = `A memory that outlives this conversation. Search it before you ask the user for \
something they may have said before; store what should be known next time, one fact each.`

export function createServerMaker(needs: ServerNeeds): MakeServer {
  const { tools, version } = needs
  const listed = tools.map(describeTool)
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return ({ carryOut, caller: { requestId } }) => {
    const server = new Server(
      { name: 'reverie', version },
      { capabilities: { tools: {} }, instructions },
    )
    server.setRequestHandler('tools/list', () => ({ tools: listed }))
    server.setRequestHandler('tools/call', ({ params }) => {
      const tool = byName.get(params.name)
      if (!tool) throw refused(`Unknown tool: ${params.name}`)
      const { data: input, error } = tool.input.safeParse(params.arguments ?? {})
      if (!input) throw refused(`${tool.name}: ${tell(error.issues)}`)
      return callTool(needs, tool, { carryOut, requestId, input })
    })
    return server
  }
}

function tell(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
) {
  return issues.map(({ path, message }) => [...path, message].map(String).join(': ')).join('; ')
}

function refused(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, neutralize(message))
}
