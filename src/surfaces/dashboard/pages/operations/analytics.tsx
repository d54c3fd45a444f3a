import { useFormat, useText } from '../../i18n/language.tsx'
import { useRead } from '../../queries/read.ts'
import { Loaded } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { Pairs } from '../../widgets/values.tsx'
import { ChartKeys, DayChart } from '../home/day-chart.tsx'
import { useDay } from '../home/use-day.ts'

interface Stats {
  readonly recall: { readonly calls: number; readonly p50: number; readonly p95: number }
  readonly sessions: { readonly ended: number }
  readonly llm: { readonly calls: number; readonly totalCost: number }
}

/** The day as a chart, and the totals of the telemetry. */
export function Analytics() {
  const t = useText()
  const format = useFormat()
  const day = useDay()
  const read = useRead<Stats>('GET /api/telemetry/stats')
  return (
    <div className="grid two">
      <Sheet title={t.home.byHour} aside={<ChartKeys />}>
        <Loaded read={day.events}>{() => <DayChart hours={day.byHour} />}</Loaded>
      </Sheet>
      <Sheet title={t.running.analytics}>
        <Loaded read={read}>
          {({ recall, sessions, llm }) => (
            <Pairs
              rows={[
                [t.running.recalls, format.number(recall.calls)],
                [t.running.median, `${format.number(recall.p50)} ms`],
                [t.running.slow, `${format.number(recall.p95)} ms`],
                [t.screens.sessions, format.number(sessions.ended)],
                [t.running.modelCalls, format.number(llm.calls)],
                [t.home.cost, format.money(llm.totalCost)],
              ]}
            />
          )}
        </Loaded>
      </Sheet>
    </div>
  )
}
