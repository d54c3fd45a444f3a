import { type Fields, toFields } from './fields.ts'

/** A log of changes: a record told again takes the place of its elder, and a rewind takes back what follows. */
export function settleGemini(records: readonly Fields[]): readonly Fields[] {
  const log = createLog()
  for (const record of records) {
    const set = toFields(record['$set'])
    if (record['$rewindTo'] !== undefined) log.rewind(record['$rewindTo'])
    else if (Array.isArray(set?.['messages'])) {
      log.rewind(undefined)
      for (const message of set['messages']) log.put(toFields(message) ?? {})
    } else if (!set) log.put(record)
  }
  return log.messages
}

function createLog() {
  const messages: Fields[] = []
  const places = new Map<unknown, number>()
  const placeOf = (id: unknown) => {
    const place = places.get(id)
    return place !== undefined && messages[place]?.['id'] === id ? place : undefined
  }
  return {
    messages,
    /** What has no id stands for itself. */
    put: (message: Fields) => {
      const { id } = message
      const place = (id === undefined ? undefined : placeOf(id)) ?? messages.length
      places.set(id, place)
      messages[place] = message
    },
    /** To before the message that is named; nothing is left where nobody knows it. */
    rewind: (id: unknown) => {
      messages.length = placeOf(id) ?? 0
    },
  }
}
