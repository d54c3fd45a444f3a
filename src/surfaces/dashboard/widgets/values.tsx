import type { ReactNode } from 'react'
import { useFormat } from '../i18n/language.tsx'

/** Names with their values. A value that is absent is left out. */
export function Pairs({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== '')
  return (
    <dl className="pairs">
      {shown.map(([name, value]) => (
        <div key={name} className="pair">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A time in the zone of the reader, with the exact time as its title. */
export function Time({ at, className }: { readonly at: string; readonly className?: string }) {
  const format = useFormat()
  return (
    <time className={className} dateTime={at} title={format.exact(at)}>
      {format.when(at)}
    </time>
  )
}
