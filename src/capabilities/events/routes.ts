import { type Route, route } from '../../kernel/http/route.ts'
import { readLastEventId, toServerSentEvents } from '../../kernel/http/stream.ts'
import { assertKnownTypes, type FollowNeeds, followEvents } from './follow-events.ts'
import { eventsQuery } from './schemas.ts'

export function eventsRoutes(needs: FollowNeeds): readonly Route[] {
  return [
    route({
      name: 'events.follow',
      method: 'GET',
      path: '/api/events',
      permission: 'recall',
      isSubscription: true,
      summary:
        'Stream the events of the daemon, or those after Last-Event-ID, as server-sent events.',
      query: eventsQuery,
      handle: async ({ caller, headers, query, signal }) => {
        assertKnownTypes(query.types)
        const lastId = readLastEventId(headers)
        return toServerSentEvents(followEvents(needs, caller, { ...query, signal, lastId }))
      },
    }),
  ]
}
