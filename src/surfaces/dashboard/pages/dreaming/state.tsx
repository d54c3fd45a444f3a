import { useFormat, useText } from '../../i18n/language.tsx'
import type { DreamStatus, Quality } from '../../queries/dreaming.ts'
import { type ReadState, useChange, useRead } from '../../queries/read.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { ActionButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Pairs } from '../../widgets/pairs.tsx'
import { Sheet } from '../../widgets/screen.tsx'

interface StatusProps {
  readonly status: ReadState<DreamStatus>
}

export function Budget({ status }: StatusProps) {
  const t = useText()
  const format = useFormat()
  return (
    <Sheet title={t.dreaming.budget}>
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
                <PlainText text={schedule.because} />
              </p>
            )}
            <p className="faint">{t.dreaming.limitNote}</p>
          </div>
        )}
      </Loaded>
    </Sheet>
  )
}

export function Attention({ status }: StatusProps) {
  const t = useText()
  const items = status.data?.attention ?? []
  if (items.length === 0) return null
  return (
    <Sheet title={t.dreaming.attention} aside={items.length} isFlush>
      <ul className="lines">
        {items.map(({ id, kind, details }) => (
          <li key={id}>
            <i className="dot warn" aria-hidden="true" />
            <p>
              <Name text={String(details['entity'] ?? kind)} />
              <br />
              <span className="faint">
                <PlainText text={String(details['reason'] ?? kind).replaceAll('_', ' ')} />
              </span>
            </p>
          </li>
        ))}
      </ul>
    </Sheet>
  )
}

/** Sources that passes leave out after they failed on them. */
export function Exclusions({ status }: StatusProps) {
  const t = useText()
  const requeue = useChange('POST /api/dream/exclusions/requeue')
  const items = status.data?.exclusions ?? []
  if (items.length === 0) return null
  return (
    <Sheet title={t.dreaming.exclusions} isFlush>
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
