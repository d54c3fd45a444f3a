import type { ReactNode } from 'react'

/** Own symbols, drawn in a square of 18 units. */
const shapes = {
  home: (
    <>
      <path d="M3 8.2 9 3l6 5.2V15a.8.8 0 0 1-.8.8H3.8A.8.8 0 0 1 3 15z" />
      <path d="M7 15.5V11h4v4.5" />
    </>
  ),
  memories: (
    <>
      <path d="M4 2.8h7l3.5 3.5v9H4z" />
      <path d="M11 2.8v3.6h3.5M6.5 9.2h5M6.5 12h3.5" />
    </>
  ),
  sessions: (
    <>
      <path d="M3 4h12v8H8l-3.2 3V12H3z" />
      <path d="M6 7h6M6 9.3h3.5" />
    </>
  ),
  knowledge: (
    <>
      <circle cx="5" cy="5" r="2" />
      <circle cx="13.2" cy="6.6" r="1.8" />
      <circle cx="8" cy="13.4" r="2.2" />
      <path d="m6.8 5.5 4.7.8M5.7 6.9l1.5 4.4M12.3 8.2l-2.8 3.6" />
    </>
  ),
  dreaming: (
    <>
      <path d="M14.5 10.8A6.2 6.2 0 0 1 7.2 3.5a6.2 6.2 0 1 0 7.3 7.3z" />
      <path d="M11.6 3.4h2.8l-2.8 3h2.8" />
    </>
  ),
  map: (
    <>
      <circle cx="5" cy="12.5" r="1.2" />
      <circle cx="8" cy="6" r="1.2" />
      <circle cx="12.5" cy="9" r="1.2" />
      <circle cx="13.5" cy="4" r="1.2" />
      <circle cx="9.2" cy="13.6" r="1.2" />
      <circle cx="4" cy="7.6" r="1.2" />
    </>
  ),
  sources: (
    <>
      <ellipse cx="9" cy="4.6" rx="5.6" ry="2.1" />
      <path d="M3.4 4.6v8.8c0 1.2 2.5 2.1 5.6 2.1s5.6-.9 5.6-2.1V4.6M3.4 9c0 1.2 2.5 2.1 5.6 2.1s5.6-.9 5.6-2.1" />
    </>
  ),
  extensions: (
    <>
      <path d="M9 2.6 10.9 7l4.5.5-3.4 3 1 4.500L9 12.6 5 15l1-4.5-3.4-3L7.1 7z" />
    </>
  ),
  inference: (
    <>
      <path d="M3 5h4l4 8h4M3 13h4l1.4-2.8M15 5h-4l-.9 1.8" />
      <path d="m13 3 2 2-2 2M13 11l2 2-2 2" />
    </>
  ),
  agents: (
    <>
      <circle cx="6.6" cy="6.4" r="2.6" />
      <path d="M2.4 15c.3-2.7 2-4.2 4.2-4.2s3.9 1.5 4.2 4.200M11.5 4.300a2.3 2.3 0 0 1 0 4.300M13 11.200c1.5.5 2.4 1.8 2.6 3.8" />
    </>
  ),
  secrets: (
    <>
      <circle cx="6" cy="11.6" r="3.2" />
      <path d="m8.3 9.3 6-6M12 5.600l2 2M10.2 7.400l1.5 1.5" />
    </>
  ),
  operations: (
    <>
      <path d="M2.6 9.500h2.800l1.9-5 3.3 9.4 2-4.400h2.8" />
    </>
  ),
  settings: (
    <>
      <path d="M3 5.200h6.500M13 5.200h2M3 12.800h2M8.5 12.800H15" />
      <circle cx="11.2" cy="5.2" r="1.8" />
      <circle cx="6.8" cy="12.8" r="1.8" />
    </>
  ),
  search: (
    <>
      <circle cx="8" cy="8" r="4.6" />
      <path d="m11.5 11.5 3.6 3.6" />
    </>
  ),
  warning: (
    <>
      <path d="M9 3 16 15H2z" />
      <path d="M9 7.5v3.5M9 13h.01" />
    </>
  ),
  pin: (
    <>
      <path d="M6 3h6l-1 5 2.2 2.3H4.8L7 8zM9 10.3V15.5" />
    </>
  ),
  more: (
    <>
      <path d="M4 9h.01M9 9h.01M14 9h.01" />
    </>
  ),
  sun: (
    <>
      <circle cx="9" cy="9" r="3" />
      <path d="M9 2.500v1.300M9 14.200v1.300M2.5 9h1.300M14.2 9h1.300M4.4 4.400l.9.9M12.7 12.700l.9.9M4.4 13.600l.9-.9M12.7 5.300l.9-.9" />
    </>
  ),
  back: (
    <>
      <path d="M11 3.5 5.5 9l5.5 5.5" />
    </>
  ),
  close: (
    <>
      <path d="m4.5 4.5 9 9M13.5 4.5l-9 9" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof shapes

export function Icon({
  name,
  isSmall = false,
}: {
  readonly name: IconName
  readonly isSmall?: boolean
}) {
  return (
    <svg className={isSmall ? 'icon small' : 'icon'} viewBox="0 0 18 18" aria-hidden="true">
      {shapes[name]}
    </svg>
  )
}

export function Brand() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <circle className="orbit" cx="12" cy="12" r="9.5" />
      <path className="moon" d="M16.8 14.6A6.3 6.3 0 0 1 9.4 6.8a6.3 6.3 0 1 0 7.4 7.8z" />
    </svg>
  )
}
