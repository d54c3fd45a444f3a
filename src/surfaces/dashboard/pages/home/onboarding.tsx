import { useState } from 'react'
import { useLocation } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import type { HarnessesReply } from '../../queries/home.ts'
import { useRead } from '../../queries/read.ts'
import { Loaded } from '../../widgets/loaded.tsx'
import { Empty, Sheet } from '../../widgets/screen.tsx'
import { RememberDialog } from '../memories/remember-dialog.tsx'
import { ConnectHarness } from './connect.tsx'

/** The empty home: three steps to a memory. */
export function Onboarding() {
  const t = useText()
  const [, go] = useLocation()
  const [isRemembering, setRemembering] = useState(false)
  const read = useRead<HarnessesReply>('GET /api/harnesses')
  const isConnected = read.data?.harnesses.some(({ lastSeen }) => lastSeen !== null) ?? false
  return (
    <div className="grid two">
      <Sheet title={t.home.steps} aside={t.home.stepsDone(isConnected ? 2 : 1)} isFlush>
        <ol className="steps">
          <li className="done">
            <div className="body">
              <h3>{t.home.stepRuns}</h3>
              <p className="quiet">{t.home.stepRunsText}</p>
            </div>
          </li>
          <li className={isConnected ? 'done' : 'next'}>
            <div className="body">
              <h3>{t.home.stepConnect}</h3>
              <Loaded read={read}>
                {({ harnesses }) => <ConnectHarness harnesses={harnesses} />}
              </Loaded>
            </div>
          </li>
          <li className={isConnected ? 'next' : undefined}>
            <div className="body">
              <h3>{t.home.stepSay}</h3>
              <p className="quiet">{t.home.stepSayText}</p>
              <p>
                <button type="button" className="button" onClick={() => setRemembering(true)}>
                  {t.memories.remember}
                </button>
              </p>
            </div>
          </li>
        </ol>
      </Sheet>
      <section className="sheet">
        <Empty title={t.home.nothingYet} text={t.home.nothingYetText}>
          <button type="button" className="button main" onClick={() => setRemembering(true)}>
            {t.memories.remember}
          </button>
        </Empty>
      </section>
      {isRemembering && (
        <RememberDialog
          onClose={() => setRemembering(false)}
          onSaved={(id) => go(`/ui/memories/${encodeURIComponent(id)}`)}
        />
      )}
    </div>
  )
}
