import { useCallback, useEffect, useState } from 'react'
import { isSingleKey } from '../../host.ts'

/** The selected memories; undefined while selection is off. `x` selects the row in focus. */
export function useSelection() {
  const [selection, setSelection] = useState<ReadonlySet<string>>()
  const toggle = useCallback(
    (id: string) =>
      setSelection((previous = new Set()) => {
        const next = new Set(previous)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    [],
  )
  const switchOn = useCallback(
    () => setSelection((previous) => (previous ? undefined : new Set())),
    [],
  )
  const end = useCallback(() => setSelection(undefined), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'x' || !isSingleKey(event)) return
      event.preventDefault()
      const row = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-row]')
      const id = row?.dataset.row
      if (id) toggle(id)
      else switchOn()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [toggle, switchOn])
  return { selection, toggle, switchOn, end }
}
