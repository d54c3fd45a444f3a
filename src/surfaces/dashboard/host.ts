/** The clock, randomness and storage of the browser, in one place for tests. */
export const host = {
  now: (): number => Date.now(),
  random: (): number => Math.random(),
}

const prefix = 'reverie.'

/** Reads a preference; undefined when storage is denied. */
export function readPreference(name: Preference): string | undefined {
  try {
    return localStorage.getItem(prefix + name) ?? undefined
  } catch {
    return memory.get(name)
  }
}

/** Saves a preference, in memory only when storage is denied. */
export function savePreference(name: Preference, value: string | undefined): void {
  if (value === undefined) memory.delete(name)
  else memory.set(name, value)
  try {
    if (value === undefined) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, value)
  } catch {
    // Storage is denied, so the preference lasts as long as the page.
    return
  }
}

export type Preference = 'theme' | 'language' | 'density' | 'keys'

const memory = new Map<Preference, string>()

/** Whether an event is a single key that types nothing. */
export function isSingleKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || readPreference('keys') === 'off')
    return false
  const { target } = event
  const isField =
    target instanceof Element && target.matches('input, textarea, select, [contenteditable]')
  return !isField && document.querySelector('dialog[open]') === null
}
