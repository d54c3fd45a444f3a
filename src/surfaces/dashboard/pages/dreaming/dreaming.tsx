import { Link } from 'wouter'
import { useFormat, useText } from '../../i18n/language.tsx'
import type { DreamStatus, Pass, PassList } from '../../queries/dreaming.ts'
import { type ReadState, useChange, useRead } from '../../queries/read.ts'
import { ActionButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Screen, Sheet } from '../../widgets/screen.tsx'
import { toPath, useSegments } from '../../widgets/segments.ts'
import { PassPage } from './pass-page.tsx'
import { Attention, Budget, Exclusions, QualityPanel } from './state.tsx'

export function Page() {
  const t = useText()
  const [, , wanted] = useSegments()
  const status = useRead<DreamStatus>('GET /api/dream/status')
  const passes = useRead<PassList>('GET /api/dream/passes', { query: { limit: 50 } })
  const items = passes.data?.items ?? []
  const waiting = items.find((pass) => stateOf(pass) === 'planned')
  const shown = wanted ?? waiting?.id ?? items[0]?.id
  return (
    <Screen
      name={t.screens.dreaming}
      title={<Title pass={items.find(({ id }) => id === shown)} isLast={shown === items[0]?.id} />}
      lede={t.dreaming.lede}
    >
      <div className="grid two">
        {shown === undefined ? (
          <section className="sheet">
            <Loaded read={passes}>
              {() => <Empty title={t.dreaming.none} text={t.dreaming.noneText} />}
            </Loaded>
          </section>
        ) : (
          <PassPage key={shown} id={shown} />
        )}
        <div className="stack">
          <Passes passes={passes} shown={shown} status={status.data} />
          <Budget status={status} />
          <Attention status={status} />
          <Exclusions status={status} />
          <QualityPanel />
        </div>
      </div>
    </Screen>
  )
}

interface TitleProps {
  readonly pass: Pass | undefined
  readonly isLast: boolean
}

function Title({ pass, isLast }: TitleProps) {
  const t = useText()
  if (!pass) return t.screens.dreaming
  return (
    <>
      {isLast ? t.dreaming.thought : t.dreaming.thoughtThen}
      <em>{t.dreaming.thoughtAbout(pass.sources)}</em>
      {t.dreaming.thoughtEnd}
    </>
  )
}

interface PassesProps {
  readonly passes: ReadState<PassList>
  readonly shown: string | undefined
  readonly status: DreamStatus | undefined
}

function Passes({ passes, shown, status }: PassesProps) {
  const t = useText()
  const trigger = useChange('POST /api/dream/trigger')
  return (
    <Sheet
      title={t.dreaming.passes}
      aside={
        <ActionButton
          label={t.dreaming.now}
          run={() => trigger.run({ body: { mode: 'incremental' } })}
          done={t.dreaming.started}
          isDisabled={status?.worker.active ?? false}
        />
      }
      isFlush
    >
      <Loaded read={passes}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="pad faint">{t.dreaming.none}</p>
          ) : (
            <ol className="passes" aria-label={t.dreaming.passes} data-rows="">
              {items.map((pass) => (
                <PassRow key={pass.id} pass={pass} isShown={pass.id === shown} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Sheet>
  )
}

const tones: Readonly<Record<string, string>> = {
  planned: 'warn',
  applied: 'good',
  partly_applied: 'good',
  failed: 'bad',
  running: 'act',
}

function stateOf({ status, disposition }: Pass): string {
  return status === 'completed' ? disposition : status
}

function PassRow({ pass, isShown }: { readonly pass: Pass; readonly isShown: boolean }) {
  const t = useText()
  const format = useFormat()
  const state = stateOf(pass)
  return (
    <li>
      <Link
        href={toPath('dreaming', 'passes', pass.id)}
        aria-current={isShown || undefined}
        data-row=""
      >
        <span className="row">
          <b>{format.moment(pass.startedAt)}</b>
          <span className={`chip push ${tones[state] ?? ''}`}>
            {t.dreaming.states[state] ?? state}
          </span>
        </span>
        <span className="faint num">
          {t.dreaming.passNote(pass.sources, pass.mutationsApplied, format.money(pass.cost))}
        </span>
      </Link>
    </li>
  )
}
