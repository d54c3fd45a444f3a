import { resolveCaller } from '../../kernel/auth/resolve-caller.ts'
import { readProject } from '../../kernel/http/project-header.ts'
import type { Call } from '../../kernel/http/route.ts'
import type { ToolOrigin } from '../../kernel/http/tool.ts'

export interface OriginNeeds {
  /** Null for a session that is not known, or has no project. */
  readonly findSessionProject: (session: SessionOfAgent) => Promise<string | null>
}

interface SessionOfAgent {
  readonly agentId: string
  readonly sessionKey: string
}

export type McpCall = Pick<
  Call<unknown, unknown, unknown>,
  'carryOut' | 'caller' | 'principal' | 'headers' | 'query' | 'body'
>

/** Names begin like this in what clients of the protocol say of themselves. */
const harnesses = ['claude-code', 'codex', 'gemini', 'opencode', 'cursor']
const maxHarnessLength = 64

/** From where a tool is called: the token counts before the session, and the session before the header. */
export async function findOrigin(
  { findSessionProject }: OriginNeeds,
  { principal, caller, headers, query, body }: McpCall,
  input: Readonly<Record<string, unknown>>,
): Promise<ToolOrigin> {
  const { requestId } = caller
  const said = { body: input, query, headers, requestId }
  const { agentId, sessionKey, scope } = resolveCaller(principal, said, caller.agentId)
  const ofSession = sessionKey === null ? null : await findSessionProject({ agentId, sessionKey })
  return {
    project: scope.project ?? ofSession ?? readProject(headers),
    harness: toHarness(headers['x-svc-harness'] ?? Object(query).harness ?? readClientName(body)),
  }
}

/** The newer generation of the protocol says it in each message. */
function readClientName(body: unknown): unknown {
  const { _meta } = Object(Object(body).params)
  return Object(Object(_meta)['io.modelcontextprotocol/clientInfo']).name
}

function toHarness(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, '-')
  const known = harnesses.find((harness) => plain.startsWith(harness))
  return known ?? (plain.slice(0, maxHarnessLength) || undefined)
}
