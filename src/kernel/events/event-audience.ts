import { mayRead } from '../auth/read-scope.ts'
import type { EventListener } from './events.ts'

/** For events about rows of one agent that no other agent may read. */
export function isOfOwnAgent(
  { agentId, project = null }: { readonly agentId: string; readonly project?: string | null },
  { readScope }: EventListener,
): boolean {
  return mayRead(readScope, { agentId, project, visibility: 'private' })
}

/** For events about an agent that its readers may know, such as its sessions. */
export function isOfReadableAgent(
  { agentId, project = null }: { readonly agentId: string; readonly project?: string | null },
  { readScope }: EventListener,
): boolean {
  return mayRead(readScope, { agentId, project, visibility: 'global' })
}

/** For events about the service that only administrators may know. */
export function isForAdmin(_payload: unknown, { isAdmin }: EventListener): boolean {
  return isAdmin
}
