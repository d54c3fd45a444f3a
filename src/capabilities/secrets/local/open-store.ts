import { type KeyProblem, readKeyFile, toKeyId } from '../../../kernel/encryption/key.ts'
import { Refusal } from '../../../kernel/errors/refusal.ts'
import { type FileProblem, readSecretFile, type SecretFile } from './secret-file.ts'

export type LockReason = FileProblem | `key_${KeyProblem}` | 'key_differs'

interface StorePaths {
  readonly file: string
  readonly keyFile: string
}

export type OpenedStore =
  /** The key is absent while nothing was ever stored. */
  | { readonly content: SecretFile; readonly key: Buffer | undefined }
  | { readonly reason: LockReason; readonly names: readonly string[] }

/** Reads the entries with their key. */
export async function openStore({ file, keyFile }: StorePaths): Promise<OpenedStore> {
  const content = await readSecretFile(file)
  if ('problem' in content) return { reason: content.problem, names: content.names }
  const names = [...content.secrets.keys()]
  const hasEntries = content.secrets.size + content.internal.size > 0
  const keyFileState = await readKeyFile(keyFile)
  if ('problem' in keyFileState) {
    const isNew = !hasEntries && keyFileState.problem === 'missing'
    return isNew ? { content, key: undefined } : { reason: `key_${keyFileState.problem}`, names }
  }
  const opens = !hasEntries || content.keyId === toKeyId(keyFileState.key)
  return opens ? { content, key: keyFileState.key } : { reason: 'key_differs', names }
}

const explanations: Readonly<Record<LockReason, string>> = {
  key_missing: 'the key file is missing',
  key_foreign: 'the key file belongs to another user',
  key_readable: 'other users can read the key file',
  key_invalid: 'the key file is not a key',
  key_differs: 'the key file is not the key of the stored secrets',
  file_unreadable: 'the file of the secrets is damaged',
  file_version: 'the file of the secrets has another version',
}

export function explainLock(reason: LockReason): string {
  return explanations[reason]
}

export function lockedRefusal(reason: LockReason): Refusal {
  const message = `The secrets are locked: ${explainLock(reason)}. Run reverie doctor.`
  return new Refusal('unavailable', 'secrets_locked', message, { reason })
}

export function unreadableRefusal(name: string): Refusal {
  const message = `The secret '${name}' cannot be decrypted. Store it again, or delete it.`
  return new Refusal('unavailable', 'secret_unreadable', message, { name })
}
