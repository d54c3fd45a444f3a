import type { ReactNode } from 'react'

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
