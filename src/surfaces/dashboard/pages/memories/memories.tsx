import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useText } from '../../i18n/language.tsx'
import { Screen } from '../../widgets/screen.tsx'
import { useSegments } from '../../widgets/segments.ts'
import { MemoryDetail } from './detail.tsx'
import { FilterBar } from './filter-bar.tsx'
import { RememberDialog } from './remember-dialog.tsx'
import { MemoryList } from './results.tsx'
import { Timeline } from './timeline.tsx'
import { useFilters } from './use-filters.ts'
import { useSelection } from './use-selection.ts'

export function Page() {
  const t = useText()
  const [, id] = useSegments()
  const [, go] = useLocation()
  const { filters, change, isNew, suffix } = useFilters()
  const [isRemembering, setRemembering] = useState(isNew)
  const { selection, toggle, switchOn, end } = useSelection()
  const view = filters.view === 'timeline' ? undefined : 'timeline'
  return (
    <Screen
      name={t.screens.memories}
      actions={
        <>
          <button type="button" className="button" onClick={() => change('view', view)}>
            {view ? t.memories.timeline : t.memories.list2}
          </button>
          <button
            type="button"
            className="button"
            aria-pressed={selection !== undefined}
            onClick={switchOn}
          >
            {selection ? t.memories.selectDone : t.memories.select}
          </button>
          <button type="button" className="button main" onClick={() => setRemembering(true)}>
            {t.memories.remember}
          </button>
        </>
      }
    >
      <div
        className={id === undefined ? 'grid two list-detail' : 'grid two list-detail has-detail'}
      >
        <section className="sheet list-side" aria-label={t.memories.results}>
          <FilterBar filters={filters} change={change} />
          {filters.view === 'timeline' ? (
            <Timeline />
          ) : (
            <MemoryList
              filters={filters}
              openId={id}
              suffix={suffix}
              selection={selection}
              onToggle={toggle}
              onDone={end}
            />
          )}
        </section>
        <div className="stack detail-side">
          {id === undefined ? (
            <section className="sheet pad faint">{t.memories.choose}</section>
          ) : (
            <>
              <BackLink key={id} href={`/ui/memories${suffix}`} />
              <MemoryDetail
                key={id}
                id={id}
                filters={filters}
                onMove={(to) => go(`/ui/memories/${encodeURIComponent(to)}${suffix}`)}
              />
            </>
          )}
        </div>
      </div>
      {isRemembering && (
        <RememberDialog
          onClose={() => setRemembering(false)}
          onSaved={(saved) => go(`/ui/memories/${encodeURIComponent(saved)}`)}
        />
      )}
    </Screen>
  )
}

/** Takes the focus where the detail hides the list. */
function BackLink({ href }: { readonly href: string }) {
  const t = useText()
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (link.current?.checkVisibility()) link.current.focus()
  }, [])
  return (
    <Link ref={link} className="only-narrow button plain" href={href}>
      {t.common.back}
    </Link>
  )
}
