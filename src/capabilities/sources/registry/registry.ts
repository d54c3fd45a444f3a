import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { hasCode } from '../../../kernel/errors/system-error.ts'
import type { FileLocks } from '../../../kernel/files/file-lock.ts'
import { replaceFile } from '../../../kernel/files/replace-file.ts'
import type { Host } from '../../../kernel/host/host.ts'
import { sourcesRefusal } from '../refusals.ts'
import { hashOf, ownerOf, type SourceDraft, type SourceEntry, sourceEntry } from '../source.ts'

/** Imported files have a limit of their own, so that they leave room for other sources. */
const maxSources = 200
const maxImports = 5_000
const maxFileBytes = 4 * 1024 * 1024

const registryFile = z.object({ version: z.literal(1), sources: z.array(sourceEntry) })

/** The sources of a workspace, in `sources.json`. */
export interface Registry {
  /** Empty while the file is unreadable; `problem` says why. */
  list(): Promise<readonly SourceEntry[]>
  find(id: string): Promise<SourceEntry | undefined>
  /** Why the file cannot be used; undefined if it can. */
  problem(): Promise<string | undefined>
  /** Adds the source, or updates the one of the same owner. */
  save(draft: SourceDraft): Promise<{ readonly source: SourceEntry; readonly created: boolean }>
  /** Changes a source of this generation. Returns undefined for a source that does not exist. */
  update(
    source: Pick<SourceEntry, 'id' | 'generation'>,
    change: Partial<Pick<SourceEntry, 'enabled' | 'lastIndexedAt' | 'providerSettings'>>,
  ): Promise<SourceEntry | undefined>
  /** Returns false if there is no source of this generation. */
  remove(source: Pick<SourceEntry, 'id' | 'generation'>): Promise<boolean>
}

interface RegistryNeeds {
  readonly host: Host
  readonly folder: string
  readonly locks: FileLocks
}

interface Content {
  readonly sources: readonly SourceEntry[]
  readonly problem?: string
}

export function createRegistry({ host, folder, locks }: RegistryNeeds): Registry {
  const file = join(folder, 'sources.json')
  const cache: { stamp?: string | undefined; content?: Content | undefined } = {}

  const read = async (): Promise<Content> => {
    const stamp = await readStamp(file)
    if (cache.content && cache.stamp === stamp) return cache.content
    const content = await readContent(file)
    Object.assign(cache, { stamp, content })
    return content
  }
  const change = createGroupedChanges(async (edits) => {
    await locks.withLock(file, async ({ confirm }) => {
      const { sources: before, problem } = await read()
      // The file exists, but is not a list of sources. It is never overwritten.
      if (problem !== undefined) throw new Refusal('unreadable', 'sources_unreadable', problem)
      const after = edits.reduce((sources, edit) => edit(sources), before)
      if (after === before) return
      await confirm()
      cache.content = undefined
      await replaceFile(file, `${JSON.stringify({ version: 1, sources: after }, null, 2)}\n`)
      // No other daemon replaces the file before the lock is released.
      Object.assign(cache, { stamp: await readStamp(file), content: { sources: after } })
    })
  })
  const now = () => host.now().toISOString()

  return {
    list: async () => (await read()).sources,
    find: async (id) => (await read()).sources.find((source) => source.id === id),
    problem: async () => (await read()).problem,
    save: (draft) =>
      change((sources) => {
        const id = selectId(sources, draft)
        const existing = sources.find((source) => source.id === id)
        if (!existing && isFull(sources, draft)) throw sourcesRefusal('too_many')
        const source: SourceEntry = existing
          ? { ...existing, ...draft, id, enabled: true, updatedAt: now() }
          : {
              ...draft,
              id,
              enabled: true,
              mode: 'read-only',
              createdAt: now(),
              updatedAt: now(),
              generation: host.newId(),
            }
        const others = sources.filter((other) => other.id !== id)
        return { sources: [...others, source], result: { source, created: !existing } }
      }),
    update: ({ id, generation }, fields) =>
      change((sources) => {
        const existing = sources.find((one) => one.id === id && one.generation === generation)
        if (!existing) return { result: undefined }
        const source = { ...existing, ...fields, updatedAt: now() }
        return { sources: sources.map((one) => (one === existing ? source : one)), result: source }
      }),
    remove: ({ id, generation }) =>
      change((sources) => {
        const rest = sources.filter((one) => one.id !== id || one.generation !== generation)
        const removed = rest.length < sources.length
        return { ...(removed && { sources: rest }), result: removed }
      }),
  }
}

type Sources = readonly SourceEntry[]
/** Returns the same list if nothing changes. */
type Apply = (sources: Sources) => Sources

interface Edited<Result> {
  readonly sources?: Sources
  readonly result: Result
}

/** Changes that wait for the lock at the same time are written together. */
function createGroupedChanges(write: (edits: readonly Apply[]) => Promise<void>) {
  const waiting: Apply[] = []
  const state: { next?: Promise<void> | undefined; last: Promise<unknown> } = {
    last: Promise.resolve(),
  }
  const writeWaiting = async () => {
    state.next = undefined
    await write(waiting.splice(0))
  }
  return async <Result>(edit: (sources: Sources) => Edited<Result>): Promise<Result> => {
    let outcome: (() => Result) | undefined
    waiting.push((sources) => {
      try {
        const { sources: changed = sources, result } = edit(sources)
        outcome = () => result
        return changed
      } catch (error) {
        outcome = () => {
          throw error
        }
        return sources
      }
    })
    state.next ??= state.last.then(writeWaiting)
    const written = state.next
    state.last = written.catch(() => undefined)
    await written
    if (!outcome) throw new Error('a change of the sources was not applied')
    return outcome()
  }
}

function isFull(sources: readonly SourceEntry[], { kind }: SourceDraft): boolean {
  const isImport = kind === 'import'
  const same = sources.filter((source) => (source.kind === 'import') === isImport)
  return same.length >= (isImport ? maxImports : maxSources)
}

/** Two agents may add the same thing: the second has a longer id. */
function selectId(sources: readonly SourceEntry[], { id, providerSettings }: SourceDraft): string {
  const { agentId } = providerSettings
  const taken = sources.find((source) => source.id === id)
  return !taken || ownerOf(taken) === agentId ? id : `${id}:${hashOf(agentId).slice(0, 8)}`
}

async function readStamp(file: string): Promise<string | undefined> {
  try {
    const { ctimeNs, mtimeNs, size, ino } = await stat(file, { bigint: true })
    return `${ctimeNs} ${mtimeNs} ${size} ${ino}`
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function readContent(file: string): Promise<Content> {
  const name = 'sources.json'
  try {
    if ((await stat(file)).size > maxFileBytes)
      return { sources: [], problem: `${name} exceeds 4 MiB. Remove sources, or restore a copy.` }
    const parsed = registryFile.safeParse(JSON.parse(await readFile(file, 'utf8')))
    if (parsed.success) return { sources: parsed.data.sources }
    const at = parsed.error.issues[0]?.path.join('.') || 'the document'
    return { sources: [], problem: `${name} is invalid at ${at}. Repair it, or restore a copy.` }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { sources: [] }
    if (error instanceof SyntaxError)
      return { sources: [], problem: `${name} is not JSON. Repair it, or restore a copy.` }
    return { sources: [], problem: `${name} cannot be read: ${String(Object(error).code)}.` }
  }
}
