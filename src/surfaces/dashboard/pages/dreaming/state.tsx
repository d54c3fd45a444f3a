import { Link } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { DreamStatus, Quality } from '../../queries/dreaming.ts'
import { type ReadState, useChange, useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { toPath } from '../../widgets/segments.ts'
import { Pairs } from '../../widgets/values.tsx'

interface StatusProps {
  readonly status: ReadState<DreamStatus>
}

export function Budget({ status }: StatusProps) {
  const t = useText()
  const format = useFormat()
  return (
    <Sheet title={t.dreaming.budget} label={t.dreaming.budget}>
      <Loaded read={status}>
        {({ budget: { day }, blockedBy, backlog, episodicTokensPending, schedule }) => (
          <div className="stack tight">
            <p className="row">
              <span>{t.memories.today}</span>
              <span className="push num">
                {t.dreaming.of(format.money(day.cost), format.money(day.limits.cost))}
              </span>
            </p>
            <svg className="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect className="rest" width="100" height="8" />
              <rect
                className="lamp"
                width={Math.min(100, (day.cost / Math.max(day.limits.cost, 1e-9)) * 100)}
                height="8"
              />
            </svg>
            <p className="faint">
              {t.dreaming.backlog(backlog.sources, format.number(episodicTokensPending))}
            </p>
            {blockedBy !== null && (
              <p className="chip warn">
                <Name text={t.dreaming.blocked(t.dreaming.blockers[blockedBy] ?? blockedBy)} />
              </p>
            )}
            {schedule.because !== null && schedule.because !== blockedBy && (
              <p className="faint">
                {t.dreaming.due[schedule.because] ?? (
                  <span className="sentence" lang="en">
                    <PlainText text={`${schedule.because}.`} />
                  </span>
                )}
              </p>
            )}
            <p className="faint">{t.dreaming.limitNote}</p>
          </div>
        )}
      </Loaded>
    </Sheet>
  )
}

const maxAttention = 8

export function Attention({ status }: StatusProps) {
  const t = useText()
  const items = status.data?.attention ?? []
  if (items.length === 0) return null
  return (
    <Sheet title={t.dreaming.attention} aside={items.length} isFlush>
      <ul className="lines">
        {items.slice(0, maxAttention).map((item) => (
          <AttentionLine key={item.id} item={item} />
        ))}
      </ul>
      {items.length > maxAttention && (
        <p className="pad faint">{t.dreaming.andMore(items.length - maxAttention)}</p>
      )}
    </Sheet>
  )
}

function AttentionLine({ item }: { readonly item: DreamStatus['attention'][number] }) {
  const t = useText()
  const { kind, details } = item
  const text = (name: string) => String(details[name] ?? '')
  const reason = text('reason')
  const name = text('entity')
  return (
    <li>
      <i className="dot warn" aria-hidden="true" />
      <p>
        <Link href={toAttentionPath(kind, text)}>
          {name === '' ? (t.dreaming.kinds[kind] ?? <Name text={kind} />) : <Name text={name} />}
        </Link>
        {reason !== '' && (
          <>
            <br />
            <span className="faint">{t.knowledge.reasons[reason] ?? <Name text={reason} />}</span>
          </>
        )}
      </p>
    </li>
  )
}

function toAttentionPath(kind: string, text: (name: string) => string): string {
  if (kind === 'contested_claim') return '/ui/knowledge/conflicts'
  if (text('memory') !== '') return toPath('memories', text('memory'))
  return text('entity') === '' ? '/ui/knowledge/hygiene' : toPath('knowledge', text('entity'))
}

/** Sources that passes leave out after they failed on them. */
export function Exclusions({ status }: StatusProps) {
  const t = useText()
  const requeue = useChange('POST /api/dream/exclusions/requeue')
  const items = status.data?.exclusions ?? []
  if (items.length === 0) return null
  return (
    <Sheet title={t.dreaming.exclusions} label={t.dreaming.exclusions} isFlush>
      <ul className="lines">
        {items.map(({ sourceKind, sourceId, reason }) => (
          <li key={sourceKind + sourceId}>
            <i className="dot bad" aria-hidden="true" />
            <p>
              <Name text={`${sourceKind} ${sourceId}`} />
              <br />
              <span className="faint">
                <PlainText text={reason ?? ''} />
              </span>
            </p>
            <span className="push">
              <ActionButton
                label={t.dreaming.requeue}
                run={() => requeue.run({ body: { sourceKind, sourceId } })}
                done={t.dreaming.requeued}
              />
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

export function QualityPanel() {
  const t = useText()
  const format = useFormat()
  const read = useRead<Quality>('GET /api/dream/quality')
  return (
    <Sheet title={t.dreaming.quality}>
      <Loaded read={read}>
        {({ claims, undoneShare, graphGarbageRate }) => (
          <Pairs
            rows={[
              [
                t.dreaming.cited,
                t.dreaming.of(format.number(claims.cited), format.number(claims.active)),
              ],
              [
                t.dreaming.undone,
                t.dreaming.of(
                  format.number(undoneShare.removed),
                  format.number(undoneShare.applied),
                ),
              ],
              [
                t.knowledge.suspicious,
                t.dreaming.of(
                  format.number(graphGarbageRate.garbageEntities),
                  format.number(graphGarbageRate.totalEntities),
                ),
              ],
            ]}
          />
        )}
      </Loaded>
    </Sheet>
  )
}
