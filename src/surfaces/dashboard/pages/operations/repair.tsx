import { useFormat, useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { RepairResult, RepairRuns } from '../../queries/running.ts'
import { PlainText } from '../../text/plain-text.tsx'
import { ConfirmButton } from '../../widgets/actions.tsx'
import { ErrorPanel, Loaded, Skeleton } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { usePreview } from '../../widgets/use-preview.ts'
import { Time } from '../../widgets/values.tsx'

/** The bodies of a dry run and of the repair itself. A repair without a dry run says its effect. */
const dry = { try: { dryRun: true }, run: {} }
const repairs = [
  { name: 'requeue-dead' },
  { name: 'release-leases' },
  { name: 'clean-orphans', ...dry },
  { name: 'deduplicate', ...dry },
  { name: 're-embed', ...dry },
  { name: 'relink-entities', ...dry },
  { name: 'check-fts', try: {}, run: { repair: true } },
  { name: 'resync-vec', ...dry },
  { name: 'rebuild-indexes', ...dry },
  { name: 'retention-sweep', ...dry },
] as const
type Repair = (typeof repairs)[number]

/** Each repair with what it would do, before it does it. */
export function Repair() {
  const t = useText()
  return (
    <div className="grid two">
      <Sheet title={t.running.repair} isFlush>
        <ul className="lines" aria-label={t.running.repair}>
          {repairs.map((repair) => (
            <RepairRow key={repair.name} repair={repair} />
          ))}
        </ul>
      </Sheet>
      <Runs />
    </div>
  )
}

function RepairRow({ repair }: { readonly repair: Repair }) {
  const t = useText()
  const { name } = repair
  const change = useChange<RepairResult>(`POST /api/repair/${name}`)
  const body = 'run' in repair ? repair.run : {}
  const { [name]: texts } = t.operations.repairs
  const [title = name, effect] = texts
  return (
    <li>
      <p>
        <b>{title}</b>
        <br />
        <span className="faint">{effect}</span>
      </p>
      <span className="push">
        {change.isMissing ? (
          <span className="faint">{t.states.notAvailable}</span>
        ) : (
          <ConfirmButton
            label={t.operations.look}
            title={title}
            confirm={t.running.run}
            run={() => change.run({ body })}
            done={t.running.done}
          >
            {'try' in repair ? (
              <Preview run={() => change.run({ body: repair.try })} />
            ) : (
              <p>{effect}</p>
            )}
          </ConfirmButton>
        )}
      </span>
    </li>
  )
}

/** What a dry run reports. */
function Preview({ run }: { readonly run: () => Promise<RepairResult> }) {
  const t = useText()
  const { data, error } = usePreview(run)
  if (error !== undefined) return <ErrorPanel error={error} />
  if (!data) return <Skeleton />
  return (
    <section aria-label={t.operations.wouldDo}>
      <p>
        <PlainText text={data.message} />
      </p>
      <p className="faint">{t.operations.affected(data.affected)}</p>
    </section>
  )
}

function Runs() {
  const t = useText()
  const titles: Readonly<Record<string, readonly string[]>> = t.operations.repairs
  const toTitle = (name: string) => titles[name]?.[0] ?? name
  const format = useFormat()
  const read = useRead<RepairRuns>('GET /api/repair/runs', { query: { limit: 20 } })
  return (
    <Sheet title={t.operations.runs} isFlush>
      <Loaded read={read}>
        {({ runs }) =>
          runs.length === 0 ? (
            <p className="pad faint">{t.operations.noRuns}</p>
          ) : (
            <ul className="lines" aria-label={t.operations.runs}>
              {runs.map(({ id, name, state, affected, message, startedAt }) => (
                <li key={id}>
                  <i className={`dot ${tones[state] ?? ''}`} aria-hidden="true" />
                  <p>
                    <b>{toTitle(name)}</b> {t.operations.runStates[state] ?? state}{' '}
                    <span className="faint">{format.number(affected)}</span>
                    <br />
                    <span className="faint">
                      <PlainText text={message} />
                    </span>
                  </p>
                  <Time at={startedAt} className="when" />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Sheet>
  )
}

const tones: Readonly<Record<string, string>> = {
  succeeded: 'good',
  running: 'act',
  failed: 'bad',
  interrupted: 'warn',
}
