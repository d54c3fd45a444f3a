import type { z } from 'zod'
import type { Caller } from '../../kernel/auth/caller.ts'
import { listPermissions } from '../../kernel/auth/permission.ts'
import { invalidRequest } from '../../kernel/errors/refusal.ts'
import { listStreamedTypes, type StreamedEvent } from '../../kernel/events/events.ts'
import type { Feed } from '../../kernel/feed/feed.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import type { EventsNeeds } from './needs.ts'
import type { eventsQuery } from './schemas.ts'

const maxShownLength = 100

export interface TimedEvent {
  readonly event: StreamedEvent
  /** ISO. */
  readonly timestamp: string
}

export interface FollowNeeds extends EventsNeeds {
  readonly feed: Feed<TimedEvent>
}

interface FollowRequest extends z.output<typeof eventsQuery> {
  readonly signal: AbortSignal
  readonly lastId: string | undefined
}

/** Yields `connected`, then the events of the requested types that the caller may learn of. */
export async function* followEvents(needs: FollowNeeds, caller: Caller, request: FollowRequest) {
  const { lastId, namespace, signal, types } = request
  const isAdmin = listPermissions(caller).includes('admin')
  const batches = needs.feed.followBatches(signal, lastId)
  const timestamp = needs.host.now().toISOString()
  yield { data: { type: 'connected', agentId: caller.agentId, timestamp } }
  for await (const batch of batches) {
    const readScope = await needs.agents.readScopeOf(needs.db, caller)
    const listener = { readScope, isAdmin, namespace: namespace ?? null }
    const items = batch.flatMap((entry) => {
      if ('isGap' in entry) return { data: { type: 'gap' } }
      const { event, timestamp } = entry.item
      if (!matchesType(types, event.name) || !event.isVisible(listener)) return []
      return { id: entry.id, data: { type: event.name, ...event.toPublic(), timestamp } }
    })
    if (items.length > 0) yield items
  }
}

/** Throws for a type that no event has, because its stream would stay empty. */
export function assertKnownTypes(types: readonly string[] = []): void {
  const known = listStreamedTypes()
  const unknown = types.find((type) => !known.some((name) => matchesType([type], name)))
  if (unknown === undefined) return
  throw invalidRequest(
    `types: no event has the type '${sliceText(unknown, 0, maxShownLength)}'. Pass a family such as memory.*, or one of ${known.join(', ')}.`,
  )
}

/** `memory.*` matches every event of its family. Without types every event matches. */
function matchesType(types: readonly string[] | undefined, name: string): boolean {
  if (types === undefined || types.length === 0) return true
  return types.some((type) =>
    type.endsWith('.*') ? name.startsWith(type.slice(0, -1)) : type === name,
  )
}
