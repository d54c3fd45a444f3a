import { useText } from '../../i18n/language.tsx'
import { Screen } from '../../widgets/screen.tsx'
import { useSegments } from '../../widgets/segments.ts'
import { Subnav } from '../../widgets/subnav.tsx'
import { Analytics } from './analytics.tsx'
import { DatabaseView } from './database.tsx'
import { Domains } from './domains.tsx'
import { GitView } from './git.tsx'
import { LogView } from './logs.tsx'
import { Queue } from './queue.tsx'
import { Repair } from './repair.tsx'
import { UpdateView } from './update.tsx'

const views = {
  logs: LogView,
  queue: Queue,
  repair: Repair,
  analytics: Analytics,
  database: DatabaseView,
  git: GitView,
  update: UpdateView,
} as const
const names = Object.keys(views) as (keyof typeof views)[]

export function Page() {
  const t = useText()
  const [, view] = useSegments()
  const name = names.find((one) => one === view)
  const View = name === undefined ? Domains : views[name]
  return (
    <Screen name={t.screens.operations} lede={t.running.lede}>
      <Subnav
        label={t.running.views}
        links={[
          { href: '/ui/operations', text: t.running.domains },
          ...names.map((one) => ({
            href: `/ui/operations/${one}`,
            text: { ...t.running, ...t.operations }[one],
          })),
        ]}
      />
      <View />
    </Screen>
  )
}
