export interface BlackBoxList {
  readonly sessions: readonly {
    readonly sessionKey: string
    readonly project: string | null
    readonly lastAt: string
    readonly recallEvents: number
    readonly artifactEvents: number
  }[]
}

export interface BlackBox {
  readonly events: readonly BlackBoxEvent[]
}

export interface BlackBoxEvent {
  readonly id: string
  readonly kind: string
  readonly at: string
  readonly title: string
  readonly detail: string | null
  readonly refs: readonly {
    readonly kind: string
    readonly id: string
    readonly label: string
    readonly score?: number
    readonly status?: string
  }[]
  readonly payload?: Readonly<Record<string, unknown>>
}

/** A recorded query of a session; none where the service does not record them. */
export interface Search {
  readonly id: string
  readonly created_at: string
  /** The operation that received the query. */
  readonly route: string
  readonly query: string
  readonly results: readonly {
    readonly id: string
    readonly source: string
    readonly content: string
    readonly forgotten?: true
  }[]
}

export interface Searches {
  readonly items: readonly Search[]
}

export interface Transcript {
  readonly content: string
}

export interface Summaries {
  readonly summaries: readonly {
    readonly id: string
    readonly content: string
    readonly session_key: string | null
    readonly harness: string | null
    readonly project: string | null
    readonly created_at: string
  }[]
}

export interface SessionHits {
  readonly hits: readonly {
    readonly sessionKey: string
    readonly project: string | null
    readonly updatedAt: string
    readonly excerpt: string
  }[]
}

const roles = ['User', 'Assistant', 'Tool', 'System'] as const
export interface Turn {
  readonly role: (typeof roles)[number]
  readonly text: string
  /** The line of the transcript. */
  readonly line: number
}

/** The turns of a transcript: a line that begins with a role begins a turn. */
export function toTurns(content: string): Turn[] {
  const turns: { role: Turn['role']; text: string; line: number }[] = []
  for (const [line, text] of content.split('\n').entries()) {
    const role = roles.find((name) => text.startsWith(`${name}: `))
    const last = turns.at(-1)
    if (role) turns.push({ role, text: text.slice(role.length + 2), line })
    else if (last) last.text += `\n${text}`
    else turns.push({ role: 'System', text, line })
  }
  return turns
}

/** The service cuts labels at this length. */
export const maxLabel = 96
