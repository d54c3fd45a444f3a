import { Refusal } from '../../kernel/errors/refusal.ts'
import type { Host } from '../../kernel/host/host.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import type { Invoke } from '../../kernel/http/route.ts'
import { type MountedTool, selectRoute, type ToolOrigin } from '../../kernel/http/tool.ts'
import type { Log } from '../../kernel/log/log.ts'
import { neutralize, neutralizeTexts } from '../../kernel/redaction/neutralize.ts'

export interface CallToolNeeds {
  readonly host: Pick<Host, 'sleep'>
  readonly log: Log
}

export interface ToolCall {
  readonly invoke: Invoke
  readonly requestId: string
  /** Validated. */
  readonly input: Readonly<Record<string, unknown>>
  readonly origin: () => Promise<ToolOrigin>
}

const timeoutMs = 10_000
/** The actor in the records; the subject of a token takes precedence. */
const headers = {
  'x-svc-runtime-path': 'plugin',
  'x-svc-actor': 'mcp-server',
  'x-svc-actor-type': 'harness',
}

/** The result of a tool. The model sees a refusal; a fault is logged and hidden. */
export async function callTool({ host, log }: CallToolNeeds, tool: MountedTool, call: ToolCall) {
  const { invoke, requestId, input, origin } = call
  try {
    const toolRequest = tool.toRouteInput(input, await origin())
    const request = {
      ...toolRequest,
      headers: { ...toolRequest.headers, ...headers },
      surface: `mcp.${tool.name}`,
    }
    const answer = await withTimeout(host, timeoutMs, invoke(selectRoute(tool, input), request))
    if (!answer) return failed(`${tool.name} took longer than ${timeoutMs / 1000} s`)
    const { status } = answer
    const body = neutralizeTexts(answer.body)
    const { error } = Object(body)
    // Some routes report a failure as an empty result with `error`.
    const isGood = status < 400 && typeof error !== 'string'
    return isGood ? succeeded(tool, body) : failed(String(error))
  } catch (error) {
    if (error instanceof Refusal) return failed(toRefusalText(tool, error))
    log.error({ reqId: requestId, err: error, during: `tool ${tool.name}` }, 'fault')
    return failed('Internal error')
  }
}

function toRefusalText({ input, notFound }: MountedTool, { code, message }: Refusal): string {
  const text = code === 'not_found' ? notFound : nameArguments(message, Object.keys(input.shape))
  return `${text ?? message} (${code})`
}

/** Names arguments of the tool in place of fields of the route: `to_agent_id` for `toAgentId`. */
function nameArguments(message: string, names: readonly string[]): string {
  return message.replaceAll(/\b[a-z]+(?:[A-Z][a-z]*)+\b/g, (field) => {
    const name = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return names.includes(name) && !names.includes(field) ? name : field
  })
}

function succeeded({ toText = JSON.stringify, toStructured }: MountedTool, body: unknown) {
  const content = [{ type: 'text' as const, text: toText(body) }]
  return { content, ...(toStructured && { structuredContent: { ...toStructured(body) } }) }
}

export function failed(text: string) {
  return { content: [{ type: 'text' as const, text: neutralize(text) }], isError: true }
}
