import { type Fields, toFields } from './fields.ts'

/** Replays the change log: a repeated record replaces the earlier one; a rewind drops later records. */
export function replayGeminiLog(records: readonly Fields[]): readonly Fields[] {
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
  const indexes = new Map<unknown, number>()
  const indexOf = (id: unknown) => {
    const index = indexes.get(id)
    return index !== undefined && messages[index]?.['id'] === id ? index : undefined
  }
  return {
    messages,
    /** Messages without an id are never replaced. */
    put: (message: Fields) => {
      const { id } = message
      const index = (id === undefined ? undefined : indexOf(id)) ?? messages.length
      indexes.set(id, index)
      messages[index] = message
    },
    /** Drops the given message and all later ones; an unknown id drops everything. */
    rewind: (id: unknown) => {
      messages.length = indexOf(id) ?? 0
    },
  }
}
