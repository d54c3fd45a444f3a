import { useEffect, useState } from 'react'
import { useIsVisible } from '../../live/live-context.tsx'
import { readStream } from '../../queries/read-stream.ts'
import type { LogEntry } from '../../queries/running.ts'

const maxLines = 1000
const retryMs = 5000

/** The lines that were written since the view opened, the oldest first. */
export function useLiveLogs(level: string, isFollowing: boolean): readonly LogEntry[] {
  const [lines, setLines] = useState<readonly LogEntry[]>([])
  const isVisible = useIsVisible()
  useEffect(() => {
    if (!isFollowing || !isVisible) return undefined
    const stopping = new AbortController()
    const add = (entry: LogEntry) => setLines((previous) => [...previous.slice(-maxLines), entry])
    void follow(level, add, stopping.signal)
    return () => stopping.abort()
  }, [level, isFollowing, isVisible])
  return lines
}

async function follow(level: string, add: (entry: LogEntry) => void, signal: AbortSignal) {
  const request = { route: 'GET /api/logs/stream', input: { query: { level } } }
  const onData = (data: string) => {
    const entry = JSON.parse(data) as Partial<LogEntry>
    if (entry.message !== undefined && entry.timestamp !== undefined) add(entry as LogEntry)
  }
  while (!signal.aborted) {
    await readStream(request, onData, signal).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}
