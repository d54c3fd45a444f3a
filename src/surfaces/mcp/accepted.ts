export interface Accepted {
  readonly json: boolean
  readonly events: boolean
}

export const bothAccepted = 'application/json, text/event-stream'

/** Who says nothing takes anything. */
export function readAccepted(header: string | readonly string[] | undefined): Accepted {
  const accepted = String(header ?? '*/*').toLowerCase()
  const takes = (...kinds: readonly string[]) => kinds.some((kind) => accepted.includes(kind))
  return {
    json: takes('application/json', 'application/*', '*/*'),
    events: takes('text/event-stream', 'text/*', '*/*'),
  }
}
