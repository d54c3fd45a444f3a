import { type FormEvent, type ReactNode, useState } from 'react'
import { useText } from '../../i18n/language.tsx'
import type {
  AppliedOperation,
  EntityList,
  ProposalList,
  SplitReply,
  Tree,
} from '../../queries/knowledge.ts'
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

/** A change of the graph that a form describes. */
interface GraphChange {
  /** Another key is another change, with another effect. */
  readonly key: string
  readonly preview: () => Promise<Effects>
  /** Returns the id of the applied operation, by which it is undone. */
  readonly apply: () => Promise<string | undefined>
}

/** The number of rows of each table that would change. */
type Effects = Readonly<Record<string, number>>

/** Merges another entity into this one, after its effect was shown. */
export function MergeButton({ tree }: ChangeProps) {
  const t = useText()
  const [query, setQuery] = useState('')
  const [source, setSource] = useState('')
  const [isForced, setForced] = useState(false)
  const { id, name } = tree.entity
  const merge = useChange<AppliedOperation>('POST /api/ontology/operations/apply')
  const payload = { target_id: id, source_ids: [source], ...(isForced && { force: true }) }
  const body = { operation: 'merge_entities', payload }
  const change: GraphChange = {
    key: JSON.stringify(payload),
    preview: async () => countTables(await merge.run({ body: { ...body, dry_run: true } })),
    apply: async () => (await merge.run({ body })).id,
  }
  if (merge.isMissing) return null
  return (
    <ChangeDialog
      label={t.knowledge.merge}
      title={t.knowledge.mergeTitle(cleanName(name))}
      confirm={t.knowledge.mergeNow}
      change={source === '' ? undefined : change}
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

function countTables({ changes = [] }: AppliedOperation): Effects {
  const byTable = Map.groupBy(changes, ({ table }) => table)
  return Object.fromEntries([...byTable].map(([table, rows]) => [table, rows.length]))
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

function countMoved({ moved }: SplitReply): Effects {
  const { aspects, attributes, links, aliases } = moved
  const counts = {
    entities: 1,
    entityAspects: aspects,
    entityAttributes: attributes,
    entityDependencies: links,
    entityAliases: aliases,
  }
  return Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0))
}

/** Moves aspects to a new entity, after the effect was shown. */
export function SplitButton({ tree }: ChangeProps) {
  const t = useText()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const isReady = name.trim() !== '' && chosen.length > 0
  const split = useChange<SplitReply>('POST /api/ontology/entities/:id/split')
  const applied = useChange<ProposalList>('GET /api/ontology/proposals')
  const body = { name: name.trim(), aspect_ids: chosen }
  const path = { id: tree.entity.id }
  const change: GraphChange = {
    key: JSON.stringify(body),
    preview: async () => countMoved(await split.run({ path, body: { ...body, dry_run: true } })),
    apply: async () => {
      await split.run({ path, body })
      const query = { operation: 'split_entity', status: 'applied', limit: 1 }
      return (await applied.run({ query })).items[0]?.id
    },
  }
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  if (tree.items.length === 0 || split.isMissing) return null
  return (
    <ChangeDialog
      label={t.knowledge.split}
      title={t.knowledge.splitTitle(cleanName(tree.entity.name))}
      confirm={t.knowledge.splitNow}
      change={isReady ? change : undefined}
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
  readonly change: GraphChange | undefined
  readonly children: ReactNode
}

function ChangeDialog({ label, title, confirm, change, children }: DialogProps) {
  const t = useText()
  const notify = useNotify()
  const [isOpen, setOpen] = useState(false)
  const undo = useChange('POST /api/ontology/proposals/:id/undo')
  const { run, failure, isRunning } = useRun(async () => {
    const id = await change?.apply()
    const body = { reason: 'undone in the dashboard' }
    const takeBack = id === undefined ? undefined : () => undo.run({ path: { id }, body })
    notify({ text: t.knowledge.applied, ...(takeBack && { undo: takeBack }) })
    setOpen(false)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (change) run()
  }
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)} isChanged={change !== undefined}>
          <form className="stack" onSubmit={submit}>
            {children}
            {change && <Effect key={change.key} run={change.preview} />}
            {failure}
            <div className="actions">
              <button type="button" className="button" onClick={() => setOpen(false)}>
                {t.common.cancel}
              </button>
              <button
                type="submit"
                className="button danger"
                disabled={isRunning || change === undefined}
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
function Effect({ run }: { readonly run: () => Promise<Effects> }) {
  const t = useText()
  const { data, error } = usePreview(run)
  if (error !== undefined) return <ErrorPanel error={error} />
  if (!data) return <Skeleton />
  return (
    <section className="notice" aria-label={t.operations.wouldDo}>
      <h3>{t.operations.wouldDo}</h3>
      <ul>
        {Object.entries(data).map(([table, rows]) => (
          <li key={table}>
            {t.knowledge.tables[table] ?? <PlainText text={table} />}: {rows}
          </li>
        ))}
      </ul>
    </section>
  )
}
