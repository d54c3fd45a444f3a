import { useFormat, useText } from '../../i18n/language.tsx'
import { useChange, useRead } from '../../queries/read.ts'
import type { Pipeline } from '../../queries/running.ts'
import { ActionButton } from '../../widgets/actions.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { Sheet } from '../../widgets/screen.tsx'
import { Pairs } from '../../widgets/values.tsx'

/** What waits, and what runs. */
export function Queue() {
  const t = useText()
  const format = useFormat()
  const read = useRead<Pipeline>('GET /api/pipeline/status', {}, { everyMs: 5000 })
  const pause = useChange('POST /api/pipeline/pause')
  const resume = useChange('POST /api/pipeline/resume')
  const nudge = useChange('POST /api/pipeline/nudge')
  return (
    <div className="stack">
      <div className="row wrap">
        {read.data?.mode === 'paused' ? (
          <ActionButton
            label={t.running.resume}
            run={() => resume.run({ body: {} })}
            done={t.running.resumed}
          />
        ) : (
          <ActionButton
            label={t.running.pause}
            run={() => pause.run({ body: {} })}
            done={t.running.paused}
          />
        )}
        <ActionButton
          label={t.running.nudge}
          run={() => nudge.run({ body: {} })}
          done={t.running.nudged}
        />
      </div>
      <Loaded read={read}>
        {({ mode, queues, workers }) => (
          <div className="grid two">
            <Sheet title={t.running.queue} aside={t.running.modes[mode] ?? mode}>
              <div className="stack">
                {Object.entries(queues).map(([name, counts]) => (
                  <div key={name} className="stack tight">
                    <h3>{t.running.queues[name] ?? name}</h3>
                    <Pairs
                      rows={Object.entries(counts).map(([key, value]) => [
                        t.running.jobStates[key] ?? key,
                        format.number(value),
                      ])}
                    />
                  </div>
                ))}
              </div>
            </Sheet>
            <Sheet title={t.running.workers}>
              <Pairs
                rows={Object.entries(workers).map(([name, { running }]) => [
                  t.running.workerNames[name] ?? name,
                  running ? t.running.working : t.running.idle,
                ])}
              />
            </Sheet>
          </div>
        )}
      </Loaded>
    </div>
  )
}
