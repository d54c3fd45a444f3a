import { Refusal } from '../errors/refusal.ts'

/** What names a harness, a project or a session, in a body, a query, a path or a header. */
const names: ReadonlySet<string> = new Set([
  ...['harness', 'project', 'cwd', 'key', 'sessionKey', 'session_key', 'x-svc-session-key'],
  ...['parentSessionKey', 'parentKey', 'parentId', 'parentID', 'sessionId', 'session_id'],
  ...['currentSessionKey', 'current_session_key', 'x-svc-project', 'x-svc-session-id'],
])
const control = /\p{Cc}/u

/** Refuses a key with a control character: it is shown in lists, on terminals and to models. */
export function assertPrintableKeys(places: readonly unknown[]): void {
  for (const place of places)
    for (const [name, value] of Object.entries(Object(place)))
      if (names.has(name) && typeof value === 'string' && control.test(value.trim()))
        throw new Refusal('invalid', 'invalid_request', `${name} must not hold control characters`)
}
