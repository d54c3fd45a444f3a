import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { host } from '../host.ts'
import { useFormat, useText } from '../i18n/language.tsx'
import { call, readPagesVersion } from '../queries/api.ts'

export interface HealthReport {
  readonly status: string
  readonly version?: string
}

const checkMs = 5000

/** Reads the health of the service every few seconds. */
export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => call<HealthReport>('GET /health', {}, { signal }),
    refetchInterval: checkMs,
    retry: false,
  })
}

/** Says since when the page shows old data. */
export function OfflineLine() {
  const t = useText()
  const format = useFormat()
  const { isError, dataUpdatedAt, errorUpdateCount } = useHealth()
  const [openedAt] = useState(host.now)
  const [isOffline, setOffline] = useState(false)
  useEffect(() => setOffline(isError && errorUpdateCount > 0), [isError, errorUpdateCount])
  if (!isOffline) return null
  return (
    <p className="offline" role="alert">
      {t.frame.offline(format.time(dataUpdatedAt || openedAt))}
    </p>
  )
}

/** Offers a reload after the service came back with other pages. What was typed stays until then. */
export function NewVersionLine() {
  const t = useText()
  const { isError } = useHealth()
  const openedVersion = useRef<string | undefined>(undefined)
  const [isReplaced, setReplaced] = useState(false)
  useEffect(() => {
    const compare = async () => {
      const version = await readPagesVersion()
      openedVersion.current ??= version
      if (version !== undefined) setReplaced(version !== openedVersion.current)
    }
    if (!isError) void compare()
  }, [isError])
  if (!isReplaced) return null
  return (
    <p className="offline" role="alert">
      {t.frame.newVersion}{' '}
      <button type="button" className="button" onClick={() => location.reload()}>
        {t.frame.reload}
      </button>
    </p>
  )
}
