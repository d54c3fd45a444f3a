import { useEffect } from 'react'
import { isSingleKey } from '../host.ts'
import { screens } from '../screens.ts'

const goWindowMs = 1500

export interface KeyActions {
  readonly openPalette: () => void
  readonly openHelp: () => void
  readonly go: (path: string) => void
}

/** The keys of the whole page. Single keys are off inside fields and dialogs, and by preference. */
export function useKeys(actions: KeyActions): void {
  const { openPalette, openHelp, go } = actions
  useEffect(() => {
    const prefix = { isActive: false }
    const onKey = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault()
        openPalette()
      } else if (isSingleKey(event)) runKey(event, prefix, { openPalette, openHelp, go })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [openPalette, openHelp, go])
}

function isPaletteKey({ ctrlKey, metaKey, key }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && key.toLowerCase() === 'k'
}

function runKey(event: KeyboardEvent, prefix: { isActive: boolean }, actions: KeyActions): void {
  const { key } = event
  const path = prefix.isActive ? screens.find((screen) => screen.key === key)?.paths[0] : undefined
  prefix.isActive = key === 'g' && !prefix.isActive
  if (prefix.isActive) setTimeout(() => Object.assign(prefix, { isActive: false }), goWindowMs)
  if (path) actions.go(path)
  else if (key === '?') actions.openHelp()
  else if (key === '/' && focusSearch()) event.preventDefault()
  else moveInList(event)
}

function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]')
  search?.focus()
  return search !== null
}

const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** Moves the focus between the rows of the list that the screen marks. */
function moveInList(event: KeyboardEvent): void {
  const step = steps[event.key]
  if (step === undefined) return
  const rows = [...document.querySelectorAll<HTMLElement>('[data-rows] [data-row]')]
  const from = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[from === -1 ? 0 : from + step]
  if (!next) return
  event.preventDefault()
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}
