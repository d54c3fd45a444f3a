import type { AssertSession } from '../kernel/auth/assert-sessions.ts'
import type { Host } from '../kernel/host/host.ts'
import type { Route } from '../kernel/http/route.ts'
import { mountTools, type Tool } from '../kernel/http/tool.ts'
import type { Log } from '../kernel/log/log.ts'
import { createMcp, type OriginNeeds } from '../surfaces/mcp/index.ts'

interface Part {
  readonly routes: readonly Route[]
  readonly tools?: readonly Tool[]
}

interface SurfaceNeeds {
  readonly conversations: {
    readonly toolSessions: OriginNeeds
    readonly assertSession: AssertSession
  }
  readonly host: Host
  readonly log: Log
  readonly version: string
}

/** The routes of all parts, those at which a model calls their tools, and the check of the sessions that calls name. */
export function createSurfaces({ conversations, ...needs }: SurfaceNeeds, parts: readonly Part[]) {
  const routes = parts.flatMap((part) => part.routes)
  const listed = parts.flatMap(({ tools = [] }) => tools)
  const tools = mountTools(listed, routes)
  const { toolSessions, assertSession } = conversations
  const mcp = createMcp({ ...needs, ...toolSessions, tools })
  return { routes: [...routes, ...mcp.routes], tools, assertSession }
}
