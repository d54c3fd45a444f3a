export interface SettingSchema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly 'x-unit'?: string
  readonly 'x-environment'?: string
  readonly 'x-restart'?: boolean
}

export interface SettingsSchema {
  readonly properties: Readonly<Record<string, SettingSchema>>
}

export interface SettingValue {
  readonly value?: unknown
  readonly source: 'default' | 'file' | 'environment'
}

export interface SettingsReply {
  readonly values: Readonly<Record<string, SettingValue>>
  readonly file: string
  readonly hash: string
  readonly restartRequired?: readonly string[]
}

export interface SettingsChange {
  readonly diff: readonly {
    readonly key: string
    readonly before?: unknown
    readonly after?: unknown
  }[]
  readonly issues: readonly { readonly key: string; readonly message: string }[]
  readonly restartRequired: readonly string[]
}

/** The edited settings by key: the new value, or null to take the setting out of the file. */
export type Edits = Readonly<Record<string, unknown>>

export function toChanges(edits: Edits): readonly { key: string; value: unknown }[] {
  return Object.entries(edits).map(([key, value]) => ({ key, value }))
}

/** A value as the text of its field. */
export function toFieldText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The value that a text means to its schema. An empty text takes the setting out. */
export function fromFieldText(text: string, { type }: SettingSchema): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (type === 'string') return text
  if (type === 'boolean') return trimmed === 'true'
  if (type === 'integer' || type === 'number')
    return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed)
  try {
    return JSON.parse(trimmed)
  } catch {
    return text
  }
}
