import { useEffect, useState } from 'react'

interface Preview<Reply> {
  readonly data?: Reply
  readonly error?: unknown
}

/** Runs a dry run once, when the preview appears. */
export function usePreview<Reply>(run: () => Promise<Reply>): Preview<Reply> {
  const [preview, setPreview] = useState<Preview<Reply>>({})
  const [start] = useState(() => run)
  useEffect(() => {
    let isCurrent = true
    const set = (next: Preview<Reply>) => {
      if (isCurrent) setPreview(next)
    }
    start().then(
      (data) => set({ data }),
      (error: unknown) => set({ error }),
    )
    return () => {
      isCurrent = false
    }
  }, [start])
  return preview
}
