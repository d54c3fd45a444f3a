import { type Fields, toFields } from './fields.ts'

/** A log of changes: a record told again takes the place of its elder, and a rewind takes back what follows. */
export function settleGemini(records: readonly Fields[]): readonly Fields[] {
  let messages = new Map<unknown, Fields>()
  for (const record of records) {
    const rewound = record['$rewindTo']
    const replaced = toFields(record['$set'])?.['messages']
    if (rewound !== undefined) messages = cutAt(messages, rewound)
    else if (Array.isArray(replaced))
      messages = new Map(replaced.flatMap((one) => named(toFields(one))))
    else if (record['$set'] === undefined)
      for (const [id, one] of named(record)) messages.set(id, one)
  }
  return [...messages.values()]
}

/** What has no id stands for itself. */
function named(record: Fields | undefined): readonly (readonly [unknown, Fields])[] {
  return record ? [[record['id'] ?? record, record]] : []
}

/** Without the message that is named and all after it; nothing is left where nobody knows it. */
function cutAt(messages: ReadonlyMap<unknown, Fields>, id: unknown): Map<unknown, Fields> {
  const all = [...messages]
  const place = all.findIndex(([known]) => known === id)
  return new Map(all.slice(0, Math.max(0, place)))
}
