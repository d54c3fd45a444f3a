import { useCallback, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { host, isSingleKey } from '../../host.ts'
import { useFormat, useText } from '../../i18n/language.tsx'
import { type Memory, type RecallReply, toTags } from '../../queries/memories.ts'
import { useChange, useRead } from '../../queries/read.ts'
import { MemoryText, Name } from '../../text/plain-text.tsx'
import { Icon } from '../../widgets/icon.tsx'
import { Loaded } from '../../widgets/loaded.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { useRun } from '../../widgets/use-run.tsx'
import { CorrectDialog } from './correct-dialog.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { ForgetDialog } from './forget-dialog.tsx'
import { History, Origin, Similar } from './origin.tsx'
import { type Filters, toRecallInput } from './use-filters.ts'
import { WhyBars } from './why.tsx'

interface DetailProps {
  readonly id: string
  readonly filters: Filters
  /** Opens another memory, such as the correction of this one. */
  readonly onMove: (id: string) => void
}

/** A vector is computed in the background, usually within seconds; some texts never get one. */
const vectorPollMs = 3000
const maxVectorWaitMs = 600_000

/** One memory: its text, what can be done with it, and where it comes from. */
export function MemoryDetail({ id, filters, onMove }: DetailProps) {
  const t = useText()
  const input = { path: { id }, query: { include_deleted: true } }
  const read = useRead<Memory>('GET /api/memory/:id', input, {
    everyMs: vectorPollMs,
    isPending: awaitsVector,
  })
  return (
    <section className="sheet pad stack" aria-label={t.memories.memory}>
      <Loaded read={read}>
        {(memory) => (
          <>
            <Head memory={memory} onMove={onMove} />
            {filters.q && <WhyFound id={id} filters={filters} />}
            <Origin memory={memory} />
            <History id={id} />
            {memory.is_deleted === 0 && <Similar memory={memory} />}
          </>
        )}
      </Loaded>
    </section>
  )
}

function awaitsVector({ is_deleted, embedding_model, updated_at }: Memory): boolean {
  const ageMs = host.now() - Date.parse(updated_at)
  return is_deleted === 0 && embedding_model === null && ageMs < maxVectorWaitMs
}

interface HeadProps {
  readonly memory: Memory
  readonly onMove: (id: string) => void
}

type Open = 'edit' | 'correct' | 'forget' | undefined
const openKeys: Readonly<Record<string, Open>> = { e: 'edit', c: 'correct', '#': 'forget' }

function Head({ memory, onMove }: HeadProps) {
  const [open, setOpen] = useState<Open>()
  const close = useCallback(() => setOpen(undefined), [])
  const isLive = memory.is_deleted === 0
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const wanted = openKeys[event.key]
      if (!isLive || !wanted || !isSingleKey(event)) return
      event.preventDefault()
      setOpen(wanted)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isLive])
  return (
    <>
      <TitleLine memory={memory} />
      <blockquote>
        <MemoryText text={memory.content} />
      </blockquote>
      <Chips memory={memory} />
      {isLive ? <Actions onOpen={setOpen} /> : <Recover memory={memory} />}
      {open === 'edit' && <EditDialog memory={memory} onClose={close} />}
      {open === 'correct' && <CorrectDialog memory={memory} onClose={close} onMove={onMove} />}
      {open === 'forget' && <ForgetDialog memory={memory} onClose={close} />}
    </>
  )
}

function Actions({ onOpen }: { readonly onOpen: (open: Open) => void }) {
  const t = useText()
  return (
    <div className="row wrap">
      <button type="button" className="button" onClick={() => onOpen('correct')}>
        {t.memories.correct}
      </button>
      <button type="button" className="button" onClick={() => onOpen('edit')}>
        {t.memories.edit}
      </button>
      <button type="button" className="button danger push" onClick={() => onOpen('forget')}>
        {t.memories.forgetOpen}
      </button>
    </div>
  )
}

function Recover({ memory: { id } }: { readonly memory: Memory }) {
  const t = useText()
  const notify = useNotify()
  const recover = useChange('POST /api/memory/:id/recover')
  const { run, failure } = useRun(async () => {
    await recover.run({ path: { id }, body: { reason: 'recovered in the dashboard' } })
    notify({ text: t.memories.recovered })
  })
  return (
    <>
      {failure}
      <p>
        <button type="button" className="button main" disabled={recover.isRunning} onClick={run}>
          {t.memories.recover}
        </button>
      </p>
    </>
  )
}

/** The heading with the button that pins. */
function TitleLine({ memory: { id, pinned, version, is_deleted } }: { readonly memory: Memory }) {
  const t = useText()
  const notify = useNotify()
  const update = useChange('PATCH /api/memory/:id')
  const isPinned = Boolean(pinned)
  const set = (value: boolean, more: object = {}) =>
    update.run({
      path: { id },
      body: { pinned: value, reason: 'pinned in the dashboard', ...more },
    })
  const { run, failure } = useRun(async () => {
    await set(!isPinned, { if_version: version })
    notify({ text: t.memories.edited, undo: () => set(isPinned) })
  })
  return (
    <>
      <div className="row">
        <h2 className="part">{t.memories.memory}</h2>
        {is_deleted === 0 && (
          <button
            type="button"
            className={isPinned ? 'button push on-pin' : 'button plain push'}
            aria-label={isPinned ? t.memories.unpin : t.memories.pin}
            disabled={update.isRunning}
            onClick={run}
          >
            <Icon name="pin" />
          </button>
        )}
      </div>
      {failure}
    </>
  )
}

function Chips({ memory }: { readonly memory: Memory }) {
  const t = useText()
  const isSuperseded = memory.superseded_by !== null
  return (
    <div className="row wrap">
      <span className="chip">
        <Name text={t.memories.types[memory.type] ?? memory.type} />
      </span>
      {listOtherTags(memory).map((tag) => (
        <span key={tag} className="chip">
          <Name text={tag} />
        </span>
      ))}
      {memory.access_count > 0 && (
        <span className="chip act">{t.memories.recalled(memory.access_count)}</span>
      )}
      <StateChip isDeleted={memory.is_deleted === 1} isSuperseded={isSuperseded} />
    </div>
  )
}

/** The type has a chip of its own. */
function listOtherTags({ tags, type }: Memory): readonly string[] {
  return toTags(tags).filter((tag) => tag !== type)
}

interface StateProps {
  readonly isDeleted: boolean
  readonly isSuperseded: boolean
}

function StateChip({ isDeleted, isSuperseded }: StateProps) {
  const t = useText()
  if (isDeleted) return <span className="chip bad">{t.memories.forgottenMark}</span>
  if (isSuperseded) return <span className="chip warn">{t.memories.supersededMark}</span>
  return <span className="chip good">{t.memories.inForce}</span>
}

function WhyFound({ id, filters }: { readonly id: string; readonly filters: Filters }) {
  const t = useText()
  const format = useFormat()
  const read = useRead<RecallReply>('POST /api/memory/recall', toRecallInput(filters))
  const row = read.data?.results.find((result) => result.id === id)
  return (
    <div>
      <h2 className="part">
        {t.memories.whyFound}
        {row?.confidence !== undefined && (
          <span className="faint">{t.memories.sure(format.percent(row.confidence))}</span>
        )}
      </h2>
      <Loaded read={read}>
        {() =>
          row?.explain ? (
            <WhyBars stages={row.explain.stages} />
          ) : (
            <p className="faint">{t.memories.notByThis}</p>
          )
        }
      </Loaded>
      {row?.outdated_by !== undefined && (
        <p>
          <Link href={`/ui/memories/${encodeURIComponent(row.outdated_by)}`}>
            {t.memories.outdatedBy}
          </Link>
        </p>
      )}
    </div>
  )
}
