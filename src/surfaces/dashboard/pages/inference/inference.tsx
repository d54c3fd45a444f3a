import { useFormat, useText } from '../../i18n/language.tsx'
import type { UsageReply } from '../../queries/home.ts'
import { useRead } from '../../queries/read.ts'
import { Loaded } from '../../widgets/loaded.tsx'
import { Screen, Sheet } from '../../widgets/screen.tsx'
import { useSegments } from '../../widgets/segments.ts'
import { Pairs } from '../../widgets/values.tsx'
import { DecisionPage, Decisions } from './decisions.tsx'
import { Explain } from './explain.tsx'
import { Logins } from './logins.tsx'
import { Status } from './status.tsx'

export function Page() {
  const t = useText()
  const [, , id] = useSegments()
  if (id !== undefined) return <DecisionPage key={id} id={id} />
  return (
    <Screen name={t.screens.inference} lede={t.running.inferenceLede}>
      <div className="grid two">
        <Decisions />
        <div className="stack">
          <Status />
          <Usage />
          <Explain />
          <Logins />
        </div>
      </div>
    </Screen>
  )
}

function Usage() {
  const t = useText()
  const format = useFormat()
  const read = useRead<UsageReply>('GET /api/inference/usage')
  return (
    <Sheet title={t.running.usage}>
      <Loaded read={read}>
        {({ totals: { calls, cost } }) => (
          <Pairs
            rows={[
              [t.running.modelCalls, format.number(calls)],
              [t.running.cost, format.money(cost)],
            ]}
          />
        )}
      </Loaded>
    </Sheet>
  )
}
