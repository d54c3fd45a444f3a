import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { appendLines } from '../../../kernel/files/append-lines.ts'
import { makeFolder } from '../../../kernel/files/folders.ts'
import { renameIfExists, sizeOf } from '../../../kernel/files/optional-files.ts'
import { parseJson } from '../../../kernel/files/read-text.ts'
import type { Host } from '../../../kernel/host/host.ts'
import type { Log } from '../../../kernel/log/log.ts'
import { type AuditEntry, type AuditEvent, redactData } from './audit-event.ts'
import { createNameIndex } from './name-index.ts'
import { readBackwards } from './read-backwards.ts'

export type AuditLog = ReturnType<typeof createAuditLog>
export type Audit = Pick<AuditLog, 'add'>

interface AuditNeeds {
  readonly host: Pick<Host, 'now' | 'random'>
  readonly log: Pick<Log, 'error'>
  /** The folder of the files; created at the first write. */
  readonly folder: string
  /** Bytes after which a file is rotated. */
  readonly maxBytes?: number
}

export interface AuditQuery {
  readonly pluginId?: string | undefined
  readonly event?: string | undefined
  /** ISO times, inclusive. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly limit: number
}

const maxFiles = 5
const defaultMaxBytes = 10_485_760
/** Events after which other work continues. */
const pauseEvery = 100
/** Events that wait for the disk; a further one is dropped. */
const maxWaiting = 10_000

const storedEvent = z.object({
  id: z.string(),
  timestamp: z.string(),
  event: z.string(),
  pluginId: z.string(),
  result: z.enum(['ok', 'denied', 'degraded', 'error']),
  source: z.enum(['plugin-host', 'secrets-provider', 'secrets-routes']),
  agentId: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
})

/** Events of plugins and secrets in lines of JSON. Written in the background, in order. */
export function createAuditLog(needs: AuditNeeds) {
  const { host, log } = needs
  const index = createNameIndex(maxFiles)
  const waiting: string[] = []
  let writing: Promise<void> = Promise.resolve()
  let isScheduled = false

  const write = async () => {
    isScheduled = false
    const lines = waiting.splice(0)
    try {
      await append(needs, lines)
    } catch (err) {
      log.error({ err, events: lines.length }, 'plugin audit not written')
    }
  }
  const flush = () => writing

  return {
    add: ({ data, ...entry }: AuditEntry) => {
      if (waiting.length >= maxWaiting) return
      const now = host.now()
      const event: AuditEvent = {
        id: `${now.getTime().toString(36)}-${createSuffix(host)}`,
        timestamp: now.toISOString(),
        ...entry,
        data: redactData(data),
      }
      waiting.push(JSON.stringify(event))
      if (isScheduled) return
      isScheduled = true
      writing = writing.then(write)
    },
    /** Newest first. */
    list: async (query: AuditQuery): Promise<readonly AuditEvent[]> => {
      await flush()
      const events: AuditEvent[] = []
      for await (const event of withPauses(readAll(needs.folder, index, query))) {
        if (query.since !== undefined && event.timestamp < query.since) break
        if (matches(event, query)) events.push({ ...event, data: redactData(event.data) })
        if (events.length >= query.limit) break
      }
      return events
    },
    /** Resolves when all events are on the disk. */
    flush,
  }
}

function matches(event: AuditEvent, { pluginId, event: name, until }: AuditQuery): boolean {
  return (
    (pluginId === undefined || event.pluginId === pluginId) &&
    (name === undefined || event.event === name) &&
    (until === undefined || event.timestamp <= until)
  )
}

function createSuffix({ random }: Pick<Host, 'random'>): string {
  return Array.from({ length: 8 }, () => Math.floor(random() * 36).toString(36)).join('')
}

/** The current file is number 0. */
function toFile(folder: string, number: number): string {
  return join(folder, `audit-v1${number === 0 ? '' : `.${number}`}.ndjson`)
}

async function append({ folder, maxBytes = defaultMaxBytes }: AuditNeeds, lines: string[]) {
  await makeFolder(folder)
  const size = await sizeOf(toFile(folder, 0))
  if (size >= maxBytes) await rotate(folder)
  await appendLines(toFile(folder, 0), lines)
}

async function rotate(folder: string): Promise<void> {
  for (let number = maxFiles - 1; number > 0; number--)
    await renameIfExists(toFile(folder, number - 1), toFile(folder, number))
}

type NameIndex = ReturnType<typeof createNameIndex>

/** Broken lines are skipped. */
async function* readAll(
  folder: string,
  index: NameIndex,
  query: AuditQuery,
): AsyncGenerator<AuditEvent> {
  for await (const line of readLines(folder, index, query)) {
    const event = parseEvent(line)
    if (event) yield event
  }
}

/** Lines that have the searched names. Files without them are not read. Blocks without them are neither decoded nor split. */
async function* readLines(
  folder: string,
  index: NameIndex,
  { pluginId, event: name }: AuditQuery,
): AsyncGenerator<string> {
  const names = [pluginId, name].filter((one) => one !== undefined)
  const marks = names.map((one) => JSON.stringify(one))
  const bytes = marks.map((mark) => Buffer.from(mark))
  for (let number = 0; number < maxFiles; number++) {
    const file = toFile(folder, number)
    if (!(await index.mayHold(file, names))) continue
    for await (const lines of readBackwards(file, bytes))
      for (const line of lines) if (hasAll(line, marks)) yield line
  }
}

/** Lets other work run: the redaction of a long list would block the event loop. */
async function* withPauses<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let count = 0
  for await (const item of items) {
    if (++count % pauseEvery === 0) await setImmediate()
    yield item
  }
}

function hasAll(line: string, marks: readonly string[]): boolean {
  return marks.every((mark) => line.includes(mark))
}

function parseEvent(line: string): AuditEvent | undefined {
  return storedEvent.safeParse(parseJson(line)).data
}
