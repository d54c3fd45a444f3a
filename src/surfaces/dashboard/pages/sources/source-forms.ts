import type { RouteName } from '../../queries/operations.ts'

export const kinds = [
  'notes-vault',
  'web',
  'code-host',
  'wiki',
  'chat',
  'chat-live',
  'chat-cache',
] as const
export type SourceKind = (typeof kinds)[number]
export type FieldName =
  | 'path'
  | 'url'
  | 'maxPages'
  | 'repos'
  | 'tokenRef'
  | 'guildIds'
  | 'desktopCachePath'
  | 'name'

interface SourceForm {
  readonly route: RouteName
  readonly fields: readonly FieldName[]
  readonly required: readonly FieldName[]
  /** Sent with the fields. */
  readonly fixed?: Readonly<Record<string, string>>
}

const chat = {
  route: 'POST /api/sources/chat',
  fields: ['guildIds', 'tokenRef'],
  required: ['guildIds', 'tokenRef'],
} as const

/** What each kind of source asks for. */
export const sourceForms: Readonly<Record<SourceKind, SourceForm>> = {
  'notes-vault': { route: 'POST /api/sources/notes-vault', fields: ['path'], required: ['path'] },
  web: { route: 'POST /api/sources/web', fields: ['url', 'maxPages'], required: ['url'] },
  'code-host': {
    route: 'POST /api/sources/code-host',
    fields: ['repos', 'tokenRef'],
    required: ['repos'],
  },
  wiki: {
    route: 'POST /api/sources/wiki',
    fields: ['tokenRef', 'maxPages'],
    required: ['tokenRef'],
  },
  chat,
  'chat-live': { ...chat, fixed: { syncMode: 'gateway-tail' } },
  'chat-cache': {
    route: 'POST /api/sources/chat',
    fields: ['desktopCachePath'],
    required: [],
    fixed: { syncMode: 'desktop-cache' },
  },
}

const lists: readonly FieldName[] = ['repos', 'guildIds']

/** The request of a form: its own fields that are filled in. */
export function toBody(
  kind: SourceKind,
  values: Readonly<Partial<Record<FieldName, string>>>,
): Readonly<Record<string, unknown>> {
  const { fields, fixed } = sourceForms[kind]
  const filled = [...fields, 'name' as const].flatMap((name) => {
    const text = values[name]?.trim() ?? ''
    return text === '' ? [] : [[name, toValue(name, text)] as const]
  })
  return { ...fixed, ...Object.fromEntries(filled) }
}

function toValue(name: FieldName, text: string): unknown {
  if (lists.includes(name)) return text.split(/[\s,]+/).filter((part) => part !== '')
  return name === 'maxPages' ? Number(text) : text
}
