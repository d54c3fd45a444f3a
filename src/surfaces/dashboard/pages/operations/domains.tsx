import { Link } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { Diagnostics, Domain } from '../../queries/running.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { toFixPath } from './fix-path.ts'

const tones: Readonly<Record<string, string>> = {
  healthy: 'good',
  ok: 'good',
  degraded: 'warn',
  unhealthy: 'bad',
}

/** Each part of the service, with what mends it. */
export function Domains() {
  const t = useText()
  const read = useRead<Diagnostics>('GET /api/diagnostics')
  return (
    <section className="sheet" aria-label={t.running.domains}>
      <Loaded read={read}>
        {(report) => (
          <ul className="lines" aria-label={t.running.domains}>
            {toDomains(report).map(([name, domain]) => (
              <DomainRow key={name} name={name} domain={domain} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

/** The parts with findings come first. */
function toDomains(report: Diagnostics): readonly (readonly [string, Domain])[] {
  return Object.entries(report)
    .flatMap(([name, domain]) =>
      typeof domain === 'object' && name !== 'composite' ? [[name, domain] as const] : [],
    )
    .toSorted(([, a], [, b]) => Number(b.reasons.length > 0) - Number(a.reasons.length > 0))
}

function DomainRow({ name, domain }: { readonly name: string; readonly domain: Domain }) {
  const t = useText()
  const format = useFormat()
  const { status, score, reasons } = domain
  return (
    <li>
      <i className={`dot ${tones[status] ?? ''}`} aria-hidden="true" />
      <div className="stack tight">
        <p>
          <b>{t.running.domainNames[name] ?? name}</b>{' '}
          <span className="faint">{t.running.states[status] ?? status}</span>
        </p>
        {reasons.map(({ code, detail, fix }) => (
          <p key={code}>
            <span lang="en">
              <PlainText text={detail} />
            </span>{' '}
            {fix?.command && <code className="commandline">{fix.command}</code>}{' '}
            <FixLink route={fix?.route} />
          </p>
        ))}
      </div>
      {score !== undefined && <span className="when">{format.percent(score)}</span>}
    </li>
  )
}

/** Links to the screen with the fix, which shows a preview first. */
function FixLink({ route }: { readonly route: string | null | undefined }) {
  const t = useText()
  const path = toFixPath(route)
  if (path === undefined) return null
  return (
    <Link className="button" href={path}>
      {t.operations.openFix}
    </Link>
  )
}
