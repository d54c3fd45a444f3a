import { type ReactNode, useState } from 'react'
import { ErrorPanel } from './loaded.tsx'

/** Runs a change once at a time. A failure is shown where the change was started. */
export function useRun(change: () => Promise<unknown>): {
  readonly run: () => void
  readonly failure: ReactNode
  readonly isRunning: boolean
} {
  const [error, setError] = useState<unknown>()
  const [isRunning, setRunning] = useState(false)
  const start = async () => {
    setRunning(true)
    setError(undefined)
    try {
      await change()
    } catch (fault) {
      setError(fault)
    } finally {
      setRunning(false)
    }
  }
  const run = () => {
    if (!isRunning) void start()
  }
  return { run, isRunning, failure: error === undefined ? null : <ErrorPanel error={error} /> }
}
