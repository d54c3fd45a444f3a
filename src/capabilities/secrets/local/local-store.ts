import { join } from 'node:path'
import { createKeyFile, toKeyId } from '../../../kernel/encryption/key.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import type { FileLocks } from '../../../kernel/files/file-lock.ts'
import { makeFolder } from '../../../kernel/files/folders.ts'
import type { Host } from '../../../kernel/host/host.ts'
import { isSecretName } from '../secret-name.ts'
import { lockedRefusal, type OpenedStore, openStore, unreadableRefusal } from './open-store.ts'
import { recoverRotation, rotateKey } from './rotation.ts'
import {
  type EntryPlace,
  openEntry,
  readTimes,
  type SecretFile,
  sealEntry,
  writeSecretFile,
} from './secret-file.ts'

export interface LocalStoreNeeds {
  readonly host: Pick<Host, 'now'>
  readonly locks: FileLocks
  /** The folder `.secrets` of the workspace. */
  readonly folder: string
  /** Called for each use, because the settings may change. */
  readonly keyFile: () => string
}

export type LocalStore = ReturnType<typeof createLocalStore>

const maxSecrets = 1_000

/** The encrypted file of the workspace. Each call reads it, because other programs may replace it. */
export function createLocalStore(needs: LocalStoreNeeds) {
  const open = () => openStore({ file: toFile(needs), keyFile: needs.keyFile() })
  const change = <Result>(work: (opened: WritableStore) => Result) => changeStore(needs, work)
  const secret = (name: string): EntryPlace => ({ zone: 'secrets', name })
  const internal = (name: string): EntryPlace => ({ zone: 'internal', name })
  return {
    open,
    /** Sorted. Names are readable while the store is locked, if its file is. */
    listNames: async () => toNames(await open()),
    has: async (name: string) => toNames(await open()).includes(name),
    /** Refuses `secrets_locked`. */
    assertUnlocked: async () => {
      const opened = await open()
      if ('reason' in opened) throw lockedRefusal(opened.reason)
    },
    read: async (name: string) => readEntry(await open(), secret(name)),
    /** Refuses `secrets_locked` and `secret_store_full`. */
    put: (name: string, value: string) =>
      change((opened) => {
        const { secrets } = opened.content
        if (!secrets.has(name) && secrets.size >= maxSecrets) throw storeFull()
        writeEntry(needs, opened, { ...secret(name), value })
      }),
    /** Returns false if there was none. */
    delete: (name: string) => change((opened) => opened.content.secrets.delete(name)),
    internal: {
      read: async (name: string) => readEntry(await open(), internal(name)),
      write: (name: string, value: string, expected?: string) =>
        change((opened) => {
          const isCurrent = () => readEntry(opened, internal(name)) === expected
          if (expected !== undefined && !isCurrent()) return false
          writeEntry(needs, opened, { ...internal(name), value })
          return true
        }),
      delete: (name: string) => change((opened) => opened.content.internal.delete(name)),
    },
    /** Completes a rotation that a kill has interrupted. */
    recover: async () => {
      await makeFolder(needs.folder)
      await needs.locks.withLock(toFile(needs), () => recoverRotation(needs))
    },
    /** Encrypts all entries with a new key. Refuses `secret_unreadable` and `secrets_locked`. */
    rotate: async () => {
      await makeFolder(needs.folder)
      return await needs.locks.withLock(toFile(needs), () => rotateKey(needs))
    },
  }
}

interface WritableStore {
  readonly content: SecretFile
  readonly key: Buffer
}

/** The work changes the content in place. If it returns false, nothing is written. */
async function changeStore<Result>(
  needs: LocalStoreNeeds,
  work: (opened: WritableStore) => Result,
): Promise<Result> {
  await makeFolder(needs.folder)
  return await needs.locks.withLock(toFile(needs), async (lock) => {
    const opened = await openForWriting(needs)
    const result = work(opened)
    if (result === false) return result
    await lock.confirm()
    await writeSecretFile(toFile(needs), { ...opened.content, keyId: toKeyId(opened.key) })
    return result
  })
}

async function openForWriting(needs: LocalStoreNeeds): Promise<WritableStore> {
  const opened = await openStore({ file: toFile(needs), keyFile: needs.keyFile() })
  if ('reason' in opened) throw lockedRefusal(opened.reason)
  const key = opened.key ?? (await createKeyFile(needs.keyFile()))
  return { content: opened.content, key }
}

function toFile({ folder }: Pick<LocalStoreNeeds, 'folder'>): string {
  return join(folder, 'secrets.enc')
}

function toNames(openedStore: OpenedStore): readonly string[] {
  const names =
    'reason' in openedStore ? openedStore.names : [...openedStore.content.secrets.keys()]
  return names.filter(isSecretName).toSorted()
}

/** Refuses `secret_unreadable`, and `secrets_locked` unless it is known that there is no entry. */
function readEntry(openedStore: OpenedStore, place: EntryPlace): string | undefined {
  if ('reason' in openedStore) {
    const isKnown = place.zone === 'secrets' && !openedStore.reason.startsWith('file_')
    if (isKnown && !openedStore.names.includes(place.name)) return undefined
    throw lockedRefusal(openedStore.reason)
  }
  const { content, key } = openedStore
  if (!content[place.zone].has(place.name)) return undefined
  const value = key && openEntry(key, place, content[place.zone].get(place.name))
  if (value === undefined) throw unreadableRefusal(place.name)
  return value
}

interface NewEntry extends EntryPlace {
  readonly value: string
}

function writeEntry(
  { host }: Pick<LocalStoreNeeds, 'host'>,
  { content, key }: WritableStore,
  { value, ...place }: NewEntry,
): void {
  const updated = host.now().toISOString()
  const created = readTimes(content[place.zone].get(place.name))?.created ?? updated
  const entry = sealEntry(key, { ...place, created, updated }, value)
  content[place.zone].set(place.name, entry)
}

function storeFull(): Refusal {
  const message = `There are ${maxSecrets} secrets. Delete one first.`
  return new Refusal('too_many', 'secret_store_full', message)
}
