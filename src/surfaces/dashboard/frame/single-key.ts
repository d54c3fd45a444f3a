import { readPreference } from '../host.ts'

/** Whether an event is a single key that types nothing. */
export function isSingleKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || readPreference('keys') === 'off')
    return false
  const { target } = event
  const isField =
    target instanceof Element && target.matches('input, textarea, select, [contenteditable]')
  return !isField && document.querySelector('dialog[open]') === null
}
