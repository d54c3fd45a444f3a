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
  readonly conversations: OriginNeeds
  readonly host: Host
  readonly log: Log
  readonly version: string
}

/** The routes of all parts, and those at which a model calls their tools. */
export function createSurfaces({ conversations, ...needs }: SurfaceNeeds, parts: readonly Part[]) {
  const routes = parts.flatMap((part) => part.routes)
  const listed = parts.flatMap(({ tools = [] }) => tools)
  const tools = mountTools(listed, routes)
  const mcp = createMcp({ ...needs, findSessionProject: conversations.findSessionProject, tools })
  return { routes: [...routes, ...mcp.routes], tools }
}
