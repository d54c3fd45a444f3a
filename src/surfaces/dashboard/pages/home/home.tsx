import { useFormat, useText } from '../../i18n/language.tsx'
import type { DreamStatusReply, StatusReply } from '../../queries/home.ts'
import { useRead } from '../../queries/read.ts'
import { Loaded } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { ChartKeys, DayChart } from './day-chart.tsx'
import { Figures } from './figures.tsx'
import { Lately } from './lately.tsx'
import { Onboarding } from './onboarding.tsx'
import { Connected, LastDream, NeedsYou } from './side.tsx'
import { type Day, toMedian, useDay } from './use-day.ts'

export function Page() {
  const t = useText()
  const status = useRead<StatusReply>('GET /api/status')
  const dream = useRead<DreamStatusReply>('GET /api/dream/status')
  const day = useDay()
  const isEmpty = status.data?.memories.live === 0
  if (isEmpty)
    return (
      <Screen name={t.screens.home}>
        <Onboarding />
      </Screen>
    )
  return (
    <Screen
      name={t.screens.home}
      title={<Sentence day={day} />}
      lede={<Lede day={day} plans={dream.data?.plans ?? 0} />}
    >
      <div className="stack">
        <Figures status={status} day={day} />
        <div className="grid two">
          <div className="stack">
            <Sheet title={t.home.byHour} aside={<ChartKeys />}>
              <Loaded read={day.events}>{() => <DayChart hours={day.byHour} />}</Loaded>
            </Sheet>
            <Lately day={day} />
          </div>
          <div className="stack">
            <LastDream dream={dream} />
            <Connected />
            <NeedsYou status={status} />
          </div>
        </div>
      </div>
    </Screen>
  )
}

interface DayProps {
  readonly day: Day
}

function Sentence({ day }: DayProps) {
  const t = useText()
  if (!day.created.data || !day.events.data) return t.screens.home
  return (
    <>
      {t.home.sentenceStart}
      <em>{t.home.memoryCount(day.stored)}</em>
      {t.home.sentenceEnd(day.recalls.length)}
    </>
  )
}

function Lede({ day, plans }: DayProps & { readonly plans: number }) {
  const t = useText()
  const format = useFormat()
  const median = toMedian(day.recalls.map(({ latencyMs }) => latencyMs))
  const answers = median === undefined ? t.home.quiet : t.home.median(format.number(median))
  return plans > 0 ? `${answers} ${t.home.waiting(plans)}` : answers
}
