import { createParser } from 'eventsource-parser'
import { useEffect, useState } from 'react'
import { openStream } from '../../queries/api.ts'
import type { LogEntry } from '../../queries/running.ts'

const maxLines = 1000
const retryMs = 5000

/** The lines that were written since the view opened, the oldest first. */
export function useLiveLogs(level: string, isFollowing: boolean): readonly LogEntry[] {
  const [lines, setLines] = useState<readonly LogEntry[]>([])
  useEffect(() => {
    if (!isFollowing) return undefined
    const stopping = new AbortController()
    const add = (entry: LogEntry) => setLines((previous) => [...previous.slice(-maxLines), entry])
    void follow(level, add, stopping.signal)
    return () => stopping.abort()
  }, [level, isFollowing])
  return lines
}

async function follow(level: string, add: (entry: LogEntry) => void, signal: AbortSignal) {
  while (!signal.aborted) {
    await readOnce(level, add, signal).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

async function readOnce(level: string, add: (entry: LogEntry) => void, signal: AbortSignal) {
  const { body, ok } = await openStream('GET /api/logs/stream', { query: { level } }, signal)
  if (!ok || !body) return
  const parser = createParser({
    onEvent: ({ data }) => {
      const entry = JSON.parse(data) as Partial<LogEntry>
      if (entry.message !== undefined && entry.timestamp !== undefined) add(entry as LogEntry)
    },
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parser.feed(decoder.decode(value, { stream: true }))
  }
}
