import { useSyncExternalStore } from 'react'

/** Whether the tab is visible. A hidden tab follows no stream of its own. */
export function useIsVisible(): boolean {
  return useSyncExternalStore(subscribe, () => !document.hidden)
}

function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}
