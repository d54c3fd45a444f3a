import { resolveCaller } from '../../kernel/auth/resolve-caller.ts'
import { readProject } from '../../kernel/http/project-header.ts'
import type { Call } from '../../kernel/http/route.ts'
import type { Tool, ToolOrigin } from '../../kernel/http/tool.ts'

export interface OriginNeeds {
  /** Null for a session that is not known, or has no project. */
  readonly findSessionProject: (session: SessionOfAgent) => Promise<string | null>
  /** The live sessions of the harness, in one project or in all. */
  readonly listLiveSessions: (where: {
    readonly agentId: string
    readonly harness: string
    readonly project: string | undefined
  }) => Promise<readonly string[]>
}

interface SessionOfAgent {
  readonly agentId: string
  readonly sessionKey: string
}

export type McpCall = Pick<
  Call<unknown, unknown, unknown>,
  'invoke' | 'caller' | 'principal' | 'headers' | 'query' | 'body'
>

type Input = Readonly<Record<string, unknown>>

/** Names begin like this in what clients of the protocol say of themselves. */
const harnesses = ['claude-code', 'codex', 'gemini', 'opencode', 'cursor']
const maxHarnessLength = 64
const maxLiveSessions = 50

/** From where a tool is called: the token counts before the session, and the session before the header. */
export async function findOrigin(
  { findSessionProject, listLiveSessions }: OriginNeeds,
  { principal, caller, headers, query, body }: McpCall,
  { input, effect }: { readonly input: Input; readonly effect: Tool['effect'] },
): Promise<ToolOrigin> {
  const { requestId } = caller
  const request = { body: input, query, headers, requestId }
  const { agentId, sessionKey, scope } = resolveCaller(principal, request, caller.agentId)
  const ofSession = sessionKey === null ? null : await findSessionProject({ agentId, sessionKey })
  const project = scope.project ?? ofSession ?? readProject(headers)
  const name = headers['x-svc-harness'] ?? Object(query).harness ?? readClientName(body)
  const harness = toHarness(name)
  const isSearched =
    sessionKey === null && harness !== undefined && (effect === 'adds' || effect === 'reads')
  const live = isSearched
    ? (await listLiveSessions({ agentId, harness, project })).slice(0, maxLiveSessions)
    : []
  const isOnly = effect === 'adds' && project !== undefined && live.length === 1
  return {
    project,
    harness,
    sessionKey: isOnly ? live[0] : undefined,
    liveSessions: effect === 'reads' ? live : [],
  }
}

/** Newer protocol versions repeat it in each message. */
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
