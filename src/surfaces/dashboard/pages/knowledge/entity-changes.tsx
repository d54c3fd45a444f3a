import { type FormEvent, type ReactNode, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import type { AppliedOperation, EntityList, Tree } from '../../queries/knowledge.ts'
import { useChange, useRead } from '../../queries/read.ts'
import { cleanName } from '../../text/hidden-characters.ts'
import { Name, PlainText } from '../../text/plain-text.tsx'
import { Dialog } from '../../widgets/dialog.tsx'
import { ErrorPanel, Loaded, Skeleton } from '../../widgets/loaded.tsx'
import { useNotify } from '../../widgets/notices.tsx'
import { Field } from '../../widgets/screen.tsx'
import { usePreview } from '../../widgets/use-preview.ts'
import { useRun } from '../../widgets/use-run.tsx'

interface ChangeProps {
  readonly tree: Tree
}

interface Operation {
  readonly operation: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Merges another entity into this one, after its effect was shown. */
export function MergeButton({ tree }: ChangeProps) {
  const t = useText()
  const [query, setQuery] = useState('')
  const [source, setSource] = useState('')
  const [isForced, setForced] = useState(false)
  const { id, name } = tree.entity
  const payload = { target_id: id, source_ids: [source], ...(isForced && { force: true }) }
  return (
    <ChangeDialog
      label={t.knowledge.merge}
      title={t.knowledge.mergeTitle(cleanName(name))}
      confirm={t.knowledge.mergeNow}
      operation={source === '' ? undefined : { operation: 'merge_entities', payload }}
    >
      <Field label={t.knowledge.search}>
        <input type="search" value={query} onChange={({ target }) => setQuery(target.value)} />
      </Field>
      <Candidates query={query} without={id} chosen={source} onChoose={setSource} />
      <label className="check">
        <input
          type="checkbox"
          checked={isForced}
          onChange={({ target }) => setForced(target.checked)}
        />
        {t.knowledge.mergeForce}
      </label>
    </ChangeDialog>
  )
}

const maxCandidates = 8

interface CandidatesProps {
  readonly query: string
  readonly without: string
  readonly chosen: string
  readonly onChoose: (id: string) => void
}

function Candidates({ query, without, chosen, onChoose }: CandidatesProps) {
  const t = useText()
  const q = query.trim()
  const input = { query: { limit: maxCandidates + 1, ...(q && { q }) } }
  const read = useRead<EntityList>('GET /api/knowledge/navigation/entities', input, {
    keepsPrevious: true,
  })
  return (
    <fieldset className="stack tight">
      <legend>{t.knowledge.mergeWhich}</legend>
      <Loaded read={read}>
        {({ items }) =>
          items
            .filter(({ entity }) => entity.id !== without)
            .map(({ entity }) => (
              <label key={entity.id} className="check">
                <input
                  type="radio"
                  name="source"
                  checked={entity.id === chosen}
                  onChange={() => onChoose(entity.id)}
                />
                <Name text={entity.name} />{' '}
                <span className="faint">
                  <Name text={entity.entityType} />
                </span>
              </label>
            ))
        }
      </Loaded>
    </fieldset>
  )
}

/** Moves aspects to a new entity, after the effect was shown. */
export function SplitButton({ tree }: ChangeProps) {
  const t = useText()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const isReady = name.trim() !== '' && chosen.length > 0
  const payload = { entity_id: tree.entity.id, name: name.trim(), aspect_ids: chosen }
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  if (tree.items.length === 0) return null
  return (
    <ChangeDialog
      label={t.knowledge.split}
      title={t.knowledge.splitTitle(cleanName(tree.entity.name))}
      confirm={t.knowledge.splitNow}
      operation={isReady ? { operation: 'split_entity', payload } : undefined}
    >
      <Field label={t.knowledge.newName}>
        <input value={name} onChange={({ target }) => setName(target.value)} required />
      </Field>
      <fieldset className="stack tight">
        <legend>{t.knowledge.splitWhich}</legend>
        {tree.items.map(({ aspect }) => (
          <label key={aspect.id} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(aspect.id)}
              onChange={() => toggle(aspect.id)}
            />
            <Name text={aspect.name} />
          </label>
        ))}
      </fieldset>
    </ChangeDialog>
  )
}

interface DialogProps {
  readonly label: string
  readonly title: string
  readonly confirm: string
  /** Undefined until the form is filled in. */
  readonly operation: Operation | undefined
  readonly children: ReactNode
}

function ChangeDialog({ label, title, confirm, operation, children }: DialogProps) {
  const t = useText()
  const notify = useNotify()
  const [isOpen, setOpen] = useState(false)
  const apply = useChange<AppliedOperation>('POST /api/ontology/operations/apply')
  const undo = useChange('POST /api/ontology/proposals/:id/undo')
  const { run, failure, isRunning } = useRun(async () => {
    const { id = '' } = await apply.run({ body: operation })
    const body = { reason: 'undone in the dashboard' }
    notify({ text: t.knowledge.applied, undo: () => undo.run({ path: { id }, body }) })
    setOpen(false)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (operation) run()
  }
  if (apply.isMissing) return null
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)} isChanged={operation !== undefined}>
          <form className="stack" onSubmit={submit}>
            {children}
            {operation && (
              <Effect
                key={JSON.stringify(operation)}
                run={() => apply.run({ body: { ...operation, dry_run: true } })}
              />
            )}
            {failure}
            <div className="actions">
              <button type="button" className="button" onClick={() => setOpen(false)}>
                {t.common.cancel}
              </button>
              <button
                type="submit"
                className="button danger"
                disabled={isRunning || operation === undefined}
              >
                {confirm}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  )
}

/** What a dry run would change, by the kind of row. */
function Effect({ run }: { readonly run: () => Promise<AppliedOperation> }) {
  const t = useText()
  const { data, error } = usePreview(run)
  if (error !== undefined) return <ErrorPanel error={error} />
  if (!data) return <Skeleton />
  const changes = data.changes ?? []
  const byTable = Map.groupBy(changes, ({ table }) => table)
  return (
    <section className="notice" aria-label={t.operations.wouldDo}>
      <h3>{t.operations.wouldDo}</h3>
      <ul>
        {[...byTable].map(([table, rows]) => (
          <li key={table}>
            {t.knowledge.tables[table] ?? <PlainText text={table} />}: {rows.length}
          </li>
        ))}
      </ul>
    </section>
  )
}
