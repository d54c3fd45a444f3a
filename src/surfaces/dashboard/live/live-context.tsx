import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { useCanCall } from '../queries/session.tsx'
import { type Live, type LiveEvent, refreshByEvents, startLive } from './live.ts'

const LiveContext = createContext<Live | undefined>(undefined)

/** Calls the listener for each event of the service. */
export function useLiveEvents(listener: (event: LiveEvent) => void): void {
  const live = useContext(LiveContext)
  useEffect(() => live?.subscribe(listener), [live, listener])
}

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient()
  const hasEvents = useCanCall()('GET /api/events')
  const [live, setLive] = useState<Live>()
  useEffect(() => {
    const started = startLive(hasEvents)
    const unsubscribe = refreshByEvents(started, queries)
    setLive(started)
    return () => {
      unsubscribe()
      started.stop()
    }
  }, [queries, hasEvents])
  return <LiveContext value={live}>{children}</LiveContext>
}

/** Whether the tab is visible. A hidden tab follows no stream of its own. */
export function useIsVisible(): boolean {
  return useSyncExternalStore(subscribe, () => !document.hidden)
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
