import { useEffect, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import type { HarnessesReply } from '../../queries/home.ts'
import { type Change, useChange } from '../../queries/read.ts'
import { FileDiff } from '../../widgets/diff.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { useRun } from '../../widgets/use-run.tsx'

type Harness = HarnessesReply['harnesses'][number]

/** Connects a program of this machine after its change was shown. */
export function ConnectHarness({ harnesses }: HarnessesReply) {
  const t = useText()
  const [chosen, setChosen] = useState<Harness>()
  const connect = useChange<object>('POST /api/harnesses/:id/connect')
  return (
    <>
      <fieldset className="tiles" aria-label={t.home.found}>
        {harnesses.map((harness) => (
          <button
            key={harness.id}
            type="button"
            className="tile"
            aria-pressed={chosen?.id === harness.id}
            onClick={() => setChosen(harness)}
          >
            <i className={harness.exists ? 'dot good' : 'dot'} />
            {harness.name}
          </button>
        ))}
      </fieldset>
      {!chosen && <p className="quiet">{t.home.chooseOne}</p>}
      {chosen && connect.isMissing && <ByHand id={chosen.id} />}
      {chosen && !connect.isMissing && (
        <Proposal key={chosen.id} harness={chosen} connect={connect} />
      )}
    </>
  )
}

function ByHand({ id }: { readonly id: string }) {
  const t = useText()
  return (
    <p className="quiet">
      {t.home.byHand} <code className="commandline">{`reverie install ${id}`}</code>
    </p>
  )
}

interface ProposalProps {
  readonly harness: Harness
  readonly connect: Change<object>
}

function Proposal({ harness: { id, name }, connect }: ProposalProps) {
  const t = useText()
  const notify = useNotify()
  const [diff, setDiff] = useState<string>()
  const send = (isDryRun: boolean) => connect.run({ path: { id }, body: { dryRun: isDryRun } })
  const look = useRun(async () => setDiff(describe(await send(true))))
  const apply = useRun(async () => {
    await send(false)
    notify({ text: t.home.connectedNow(name) })
  })
  const [start] = useState(() => look.run)
  useEffect(() => start(), [start])
  return (
    <>
      {look.failure}
      {diff !== undefined && (
        <section className="stack tight" aria-label={t.home.proposedChange}>
          <p className="quiet">{t.home.willChange}</p>
          <FileDiff text={diff} />
          <p className="quiet">{t.home.connectBy}</p>
        </section>
      )}
      {apply.failure}
      <p className="row wrap">
        <button
          type="button"
          className="button main"
          disabled={apply.isRunning}
          onClick={apply.run}
        >
          {apply.isRunning ? t.home.connecting : t.home.connect(name)}
        </button>
        <ByHand id={id} />
      </p>
    </>
  )
}

/** The changes of a dry run as text: the diff where there is one, else the reply itself. */
function describe(reply: object): string {
  const { diff, changes } = reply as { diff?: unknown; changes?: unknown }
  if (typeof diff === 'string') return diff
  return JSON.stringify(changes ?? reply, undefined, 2)
}
