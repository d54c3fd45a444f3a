import { useEffect, useState } from 'react'
import { useIsVisible } from '../../live/live-context.tsx'
import { readStream } from '../../queries/read-stream.ts'
import { useCanCall } from '../../queries/session.tsx'

const maxCharacters = 200_000
const retryMs = 5000
const route = 'GET /api/tasks/:id/stream'

/** The output of a run that is not over. */
interface LiveRun {
  readonly runId: string
  readonly output: string
}

interface RunEvent {
  readonly type: string
  readonly runId?: string
  readonly chunk?: string
}

/** The current run of a task; undefined without one. */
export function useLiveRun(id: string, onEnd: () => void): LiveRun | undefined {
  const [run, setRun] = useState<LiveRun>()
  const canFollow = useCanCall()(route)
  const isVisible = useIsVisible()
  const [end] = useState(() => onEnd)
  useEffect(() => {
    if (!canFollow || !isVisible) return undefined
    const stopping = new AbortController()
    const onData = (data: string) => {
      const event = JSON.parse(data) as RunEvent
      setRun((known) => applyEvent(known, event))
      if (event.type === 'run-completed') end()
    }
    void follow(id, onData, stopping.signal)
    return () => stopping.abort()
  }, [id, canFollow, isVisible, end])
  return run
}

function applyEvent(run: LiveRun | undefined, event: RunEvent): LiveRun | undefined {
  const { type, runId = '', chunk = '' } = event
  if (type === 'run-started') return { runId, output: '' }
  // After `connected`, the stream repeats an active run. Without one, the run has ended meanwhile.
  if (type === 'run-completed' || type === 'connected') return undefined
  if (type !== 'run-output') return run
  const before = run?.runId === runId ? run.output : ''
  return { runId, output: (before + chunk).slice(-maxCharacters) }
}

async function follow(id: string, onData: (data: string) => void, signal: AbortSignal) {
  while (!signal.aborted) {
    await readStream({ route, input: { path: { id } } }, onData, signal).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}
