import { invalidRequest } from '../errors/refusal.ts'
import { hasHiddenCharacters } from '../redaction/neutralize.ts'

/** Fields, parameters and headers that name a harness, a project or a session. */
const names: ReadonlySet<string> = new Set([
  'harness',
  'project',
  'cwd',
  'key',
  'sessionKey',
  'session_key',
  'x-svc-session-key',
  'parentSessionKey',
  'parentKey',
  'parentId',
  'parentID',
  'sessionId',
  'session_id',
  'currentSessionKey',
  'current_session_key',
  'x-svc-project',
  'x-svc-session-id',
])

const hiddenMessage = 'must not contain control characters or invisible characters'
const nulMessage = 'must not contain NUL'

/**
 * Refuses keys with control or invisible characters, because lists, terminals and models show the
 * keys.
 */
export function assertPrintableKeys(places: readonly unknown[]): void {
  for (const place of places)
    for (const [name, value] of Object.entries(Object(place)))
      if (names.has(name) && typeof value === 'string' && hasHiddenCharacters(value.trim()))
        throw invalidRequest(`${name} ${toMessage(value)}`)
}

function toMessage(value: string): string {
  return value.trim().includes('\0') ? nulMessage : hiddenMessage
}
