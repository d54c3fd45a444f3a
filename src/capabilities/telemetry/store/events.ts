import type { Db } from '../../../kernel/db/database.ts'
import { type EventTableRow, type TelemetryEvent, tables } from './rows.ts'

/** An event with its agent, which no telemetry reply contains. */
export interface EventRow extends TelemetryEvent {
  readonly agentId: string
}

export async function insertEvents(db: Db, events: readonly EventRow[]): Promise<void> {
  const rows = events.map((event) => ({ ...event, properties: JSON.stringify(event.properties) }))
  await tables(db).insertInto('telemetryEvents').values(rows).execute()
}

export interface EventFilter {
  readonly id?: string | undefined
  readonly agentId?: string | undefined
  readonly event?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

interface Page {
  readonly limit: number
  readonly order: 'asc' | 'desc'
  /** The last row of the previous page. */
  readonly after?: Pick<TelemetryEvent, 'id' | 'timestamp'> | undefined
}

/** Lists events in order of time. */
export async function listEvents(
  db: Db,
  { id: eventId, agentId, event, since, until }: EventFilter,
  { limit, order, after }: Page,
): Promise<EventRow[]> {
  const { timestamp = '', id = '' } = after ?? {}
  const rows = await tables(db)
    .selectFrom('telemetryEvents')
    .select(['id', 'event', 'timestamp', 'agentId', 'properties'])
    .$if(eventId !== undefined, (query) => query.where('id', '=', eventId ?? ''))
    .$if(agentId !== undefined, (query) => query.where('agentId', '=', agentId ?? ''))
    .$if(event !== undefined, (query) => query.where('event', '=', event ?? ''))
    .$if(since !== undefined, (query) => query.where('timestamp', '>=', since ?? ''))
    .$if(until !== undefined, (query) => query.where('timestamp', '<=', until ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('timestamp', 'id'), order === 'asc' ? '>' : '<', tuple(timestamp, id)),
      ),
    )
    .orderBy('timestamp', order)
    .orderBy('id', order)
    .limit(limit)
    .execute()
  return rows.map(toEvent)
}

export async function deleteEventsOf(db: Db, agentId: string): Promise<void> {
  await tables(db).deleteFrom('telemetryEvents').where('agentId', '=', agentId).execute()
}

/** Deletes the oldest rows before this time; returns their number. */
export async function deleteEventsBefore(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom('telemetryEvents')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('telemetryEvents')
        .select('id')
        .where('timestamp', '<', before)
        .orderBy('timestamp')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

function toEvent({ properties, ...event }: EventTableRow): EventRow {
  return { ...event, properties: JSON.parse(properties) }
}
