import { createHmac, randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { link, mkdtemp, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '../errors/system-error.ts'
import { makeFolder } from '../files/folders.ts'
import { syncFolder } from '../files/replace-file.ts'

/** Why a key file cannot be used. */
export type KeyProblem = 'missing' | 'foreign' | 'readable' | 'invalid'

export type KeyFile =
  | { readonly key: Buffer; readonly keyId: string }
  | { readonly problem: KeyProblem }

const keyBytes = 32
const pattern = /^svc-key-v1:(?<key>[A-Za-z0-9+/]{43}=)\s*$/
const othersMask = 0o077

export function createKey(): Buffer {
  return randomBytes(keyBytes)
}

/** Names a key without revealing it. */
export function toKeyId(key: Buffer): string {
  return createHmac('sha256', key).update('svc:secrets:key-id').digest('hex').slice(0, 16)
}

/** The content of a key file. */
export function renderKey(key: Buffer): string {
  return `svc-key-v1:${key.toString('base64')}\n`
}

/** A key that other users own or can read is not used. */
export async function readKeyFile(file: string): Promise<KeyFile> {
  try {
    const handle = await open(file)
    try {
      const problem = findProblem(await handle.stat())
      return problem ? { problem } : parseKey(await handle.readFile('utf8'))
    } finally {
      await handle.close()
    }
  } catch (error) {
    const [, problem] = problemsByCode.find(([code]) => hasCode(error, code)) ?? []
    if (problem) return { problem }
    throw error
  }
}

const problemsByCode = [
  ['ENOENT', 'missing'],
  ['ENOTDIR', 'missing'],
  ['EACCES', 'foreign'],
  ['EPERM', 'foreign'],
  ['EISDIR', 'invalid'],
] as const

function findProblem({ mode, uid }: Stats): KeyProblem | undefined {
  if (process.platform === 'win32') return undefined
  if (uid !== process.getuid?.()) return 'foreign'
  return (mode & othersMask) === 0 ? undefined : 'readable'
}

function parseKey(text: string): KeyFile {
  const encoded = pattern.exec(text)?.groups?.['key']
  if (encoded === undefined) return { problem: 'invalid' }
  const key = Buffer.from(encoded, 'base64')
  return { key, keyId: toKeyId(key) }
}

/** Writes a key durably and returns it. Throws `EEXIST` if the file exists. */
export async function createKeyFile(file: string, key = createKey()): Promise<Buffer> {
  const folder = dirname(file)
  await makeFolder(folder)
  // A link of a complete file: a killed write leaves no partial key, and no key is replaced.
  const tempFolder = await mkdtemp(join(folder, '.next-'))
  try {
    const next = join(tempFolder, 'file')
    const handle = await open(next, 'wx', 0o600)
    try {
      await handle.writeFile(renderKey(key))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await link(next, file)
  } finally {
    await rm(tempFolder, { recursive: true, force: true })
  }
  await syncFolder(folder)
  return key
}
