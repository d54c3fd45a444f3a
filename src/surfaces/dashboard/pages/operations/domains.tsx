import { useFormat, useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import type { Diagnostics, Domain } from '../../queries/running.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { Loaded } from '../../widgets/loaded.tsx'

const tones: Readonly<Record<string, string>> = {
  healthy: 'good',
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
            {Object.entries(report).map(([name, domain]) =>
              typeof domain === 'object' && name !== 'composite' ? (
                <DomainRow key={name} name={name} domain={domain} />
              ) : null,
            )}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function DomainRow({ name, domain }: { readonly name: string; readonly domain: Domain }) {
  const t = useText()
  const format = useFormat()
  const { status, score, reasons, findings = [] } = domain
  return (
    <li>
      <i className={`dot ${tones[status] ?? ''}`} aria-hidden="true" />
      <div className="stack tight">
        <p>
          <b>{name}</b> <span className="faint">{t.running.states[status] ?? status}</span>
        </p>
        {findings.length === 0 &&
          reasons.map((reason) => (
            <p key={reason} className="faint">
              <PlainText text={reason} />
            </p>
          ))}
        {findings.map(({ code, detail, fix }) => (
          <p key={code}>
            <PlainText text={detail} />{' '}
            {fix?.command && <code className="commandline">{fix.command}</code>}
          </p>
        ))}
      </div>
      <span className="when">{format.percent(score)}</span>
    </li>
  )
}
