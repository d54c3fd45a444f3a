import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import {
  createKeyFile,
  type KeyFile,
  readKeyFile,
  toKeyId,
} from '../../../kernel/encryption/key.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { syncFolder } from '../../../kernel/files/replace-file.ts'
import { lockedRefusal, openStore } from './open-store.ts'
import {
  openEntry,
  readSecretFile,
  readTimes,
  type SecretFile,
  sealEntry,
  writeSecretFile,
  type Zone,
  zones,
} from './secret-file.ts'

interface RotationNeeds {
  readonly folder: string
  readonly keyFile: () => string
}

/** Entries that are sealed before other work continues. */
const batchSize = 32

/**
 * Three steps, after each of which every entry opens: the next key is written, the entries are
 * replaced, and the next key takes the place of the key. The caller holds the lock of the file.
 */
export async function rotateKey(needs: RotationNeeds): Promise<{ readonly keyId: string }> {
  await recoverRotation(needs)
  const [file, keyFile] = [join(needs.folder, 'secrets.enc'), needs.keyFile()]
  const opened = await openStore({ file, keyFile })
  if ('reason' in opened) throw lockedRefusal(opened.reason)
  if (opened.key === undefined) return { keyId: toKeyId(await createKeyFile(keyFile)) }
  const values = await openAll(opened.content, opened.key)
  const next = await createKeyFile(toNextKey(keyFile))
  await writeSecretFile(file, { ...(await sealAll(values, next)), keyId: toKeyId(next) })
  await promote(keyFile)
  return { keyId: toKeyId(next) }
}

/** Completes or undoes the step at which a rotation was interrupted. */
export async function recoverRotation(needs: RotationNeeds): Promise<void> {
  const keyFile = needs.keyFile()
  const next = await readKeyFile(toNextKey(keyFile))
  if ('problem' in next && next.problem === 'missing') return
  const content = await readSecretFile(join(needs.folder, 'secrets.enc'))
  if ('problem' in content) return
  if (isKeyOf(next, content)) return await promote(keyFile)
  if (isKeyOf(await readKeyFile(keyFile), content) || isEmpty(content)) await rm(toNextKey(keyFile))
}

/** Unlike a name from outside, the key that a rotation in progress has written. */
export function toNextKey(keyFile: string): string {
  return `${keyFile}.next`
}

function isKeyOf(file: KeyFile, { keyId }: SecretFile): boolean {
  return 'keyId' in file && file.keyId === keyId
}

function isEmpty({ secrets, internal }: SecretFile): boolean {
  return secrets.size + internal.size === 0
}

async function promote(keyFile: string): Promise<void> {
  await rename(toNextKey(keyFile), keyFile)
  await syncFolder(dirname(keyFile))
}

interface OpenedEntry {
  readonly zone: Zone
  readonly name: string
  readonly created: string
  readonly updated: string
  readonly value: string
}

async function openAll(content: SecretFile, key: Buffer): Promise<readonly OpenedEntry[]> {
  const opened: OpenedEntry[] = []
  const unreadable: string[] = []
  for (const zone of zones)
    for (const [name, entry] of content[zone]) {
      const value = openEntry(key, { zone, name }, entry)
      const times = readTimes(entry)
      if (value === undefined || times === undefined) unreadable.push(name)
      else opened.push({ zone, name, ...times, value })
      if ((opened.length + unreadable.length) % batchSize === 0) await setImmediate()
    }
  if (unreadable.length > 0) throw rotationRefusal(unreadable.length)
  return opened
}

async function sealAll(entries: readonly OpenedEntry[], key: Buffer) {
  const sealed = { secrets: new Map<string, unknown>(), internal: new Map<string, unknown>() }
  for (const [index, { value, ...place }] of entries.entries()) {
    sealed[place.zone].set(place.name, sealEntry(key, place, value))
    if (index % batchSize === 0) await setImmediate()
  }
  return sealed
}

function rotationRefusal(count: number): Refusal {
  const message = `${count} stored values cannot be decrypted. Store them again, or delete them.`
  return new Refusal('conflict', 'rotation_blocked', message, { unreadable: count })
}
