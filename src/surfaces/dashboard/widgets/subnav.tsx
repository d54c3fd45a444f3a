import { Link, useLocation } from 'wouter'

interface SubnavProps {
  readonly label: string
  readonly links: readonly { readonly href: string; readonly text: string }[]
}

/** The views of one screen. */
export function Subnav({ label, links }: SubnavProps) {
  const [location] = useLocation()
  return (
    <nav className="subnav" aria-label={label}>
      {links.map(({ href, text }) => (
        <Link key={href} href={href} aria-current={location === href ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
