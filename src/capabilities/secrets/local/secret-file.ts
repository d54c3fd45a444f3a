import { z } from 'zod'
import { openValue, sealValue } from '../../../kernel/encryption/seal.ts'
import { readIfExists } from '../../../kernel/files/optional-files.ts'
import { isMapping, parseJson } from '../../../kernel/files/read-text.ts'
import { replaceFile } from '../../../kernel/files/replace-file.ts'

/** Secrets of the user, and values of the service itself. */
export const zones = ['secrets', 'internal'] as const
export type Zone = (typeof zones)[number]

/** Entries by name. A malformed entry is retained as it is. */
type Entries = Map<string, unknown>

export interface SecretFile extends Readonly<Record<Zone, Entries>> {
  /** Absent without entries. */
  readonly keyId: string | undefined
}

export type FileProblem = 'file_unreadable' | 'file_version'

const entrySchema = z.object({ ciphertext: z.string(), created: z.string(), updated: z.string() })
type Entry = z.output<typeof entrySchema>

/** By reference, because a copy would lose an entry with the name `__proto__`. */
const entries = z.custom<Readonly<Record<string, unknown>>>(isMapping).default({})
const version = 2
const fileSchema = z.object({
  version: z.literal(version),
  keyId: z.string().optional(),
  secrets: entries,
  internal: entries,
})

/** A missing file has no entries. */
export async function readSecretFile(
  file: string,
): Promise<SecretFile | { readonly problem: FileProblem; readonly names: readonly string[] }> {
  const text = await readIfExists(file)
  if (text === undefined) return { keyId: undefined, secrets: new Map(), internal: new Map() }
  const parsed = parseJson(text)
  const { data } = fileSchema.safeParse(parsed)
  if (data)
    return { keyId: data.keyId, secrets: toMap(data.secrets), internal: toMap(data.internal) }
  const isOther = Object(parsed).version !== undefined && Object(parsed).version !== version
  return {
    problem: isOther ? 'file_version' : 'file_unreadable',
    names: Object.keys(Object(Object(parsed).secrets)),
  }
}

function toMap(record: Readonly<Record<string, unknown>>): Entries {
  return new Map(Object.entries(record))
}

/** The folder must exist. */
export async function writeSecretFile(file: string, content: SecretFile): Promise<void> {
  const { keyId, secrets, internal } = content
  const document = {
    version,
    keyId,
    secrets: Object.fromEntries(secrets),
    internal: Object.fromEntries(internal),
  }
  await replaceFile(file, `${JSON.stringify(document, null, 1)}\n`)
}

export interface EntryPlace {
  readonly zone: Zone
  readonly name: string
}

interface Times {
  readonly created: string
  readonly updated: string
}

export function sealEntry(key: Buffer, place: EntryPlace & Times, value: string): Entry {
  const { created, updated } = place
  return { ciphertext: sealValue(key, toContext(place, place), value), created, updated }
}

/** Returns undefined for an entry that is malformed, changed, renamed or of another key. */
export function openEntry(key: Buffer, place: EntryPlace, entry: unknown): string | undefined {
  const { data } = entrySchema.safeParse(entry)
  return data && openValue(key, toContext(place, data), data.ciphertext)
}

/** The times of an entry; undefined for a malformed one. */
export function readTimes(entry: unknown): Times | undefined {
  return entrySchema.safeParse(entry).data
}

function toContext({ zone, name }: EntryPlace, { created, updated }: Times) {
  return { info: `svc:secrets:v2:${zone}:${name}`, data: [zone, name, created, updated] }
}
