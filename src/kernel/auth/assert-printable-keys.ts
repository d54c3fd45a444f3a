import { Refusal } from '../errors/refusal.ts'
import { hasHiddenCharacters } from '../redaction/neutralize.ts'

/** What names a harness, a project or a session, in a body, a query, a path or a header. */
const names: ReadonlySet<string> = new Set([
  ...['harness', 'project', 'cwd', 'key', 'sessionKey', 'session_key', 'x-svc-session-key'],
  ...['parentSessionKey', 'parentKey', 'parentId', 'parentID', 'sessionId', 'session_id'],
  ...['currentSessionKey', 'current_session_key', 'x-svc-project', 'x-svc-session-id'],
])

const hiddenMessage = 'must not contain control characters or invisible characters'

/** Refuses a key with a control or invisible character: lists, terminals and models show it. */
export function assertPrintableKeys(places: readonly unknown[]): void {
  for (const place of places)
    for (const [name, value] of Object.entries(Object(place)))
      if (names.has(name) && typeof value === 'string' && hasHiddenCharacters(value.trim()))
        throw new Refusal('invalid', 'invalid_request', `${name} ${hiddenMessage}`)
}
