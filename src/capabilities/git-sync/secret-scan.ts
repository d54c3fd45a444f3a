import { open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { redactSecrets } from '../../kernel/redaction/redact.ts'

const windowBytes = 65_536
/** A credential at the end of a window is found in the next one. */
const overlapBytes = 2_048

/** Finds the kinds of credentials in a file, in parts, so that other work continues. */
export async function findSecretKinds(file: string): Promise<readonly string[]> {
  const handle = await open(file)
  try {
    const kinds = new Set<string>()
    const bytes = Buffer.alloc(windowBytes)
    for (let position = 0; ; position += windowBytes - overlapBytes) {
      const { bytesRead } = await handle.read(bytes, 0, windowBytes, position)
      const part = bytes.subarray(0, bytesRead)
      if (position === 0 && part.includes(0)) return []
      for (const kind of redactSecrets(part.toString('utf8')).kinds) kinds.add(kind)
      if (bytesRead < windowBytes) return [...kinds]
      await setImmediate()
    }
  } finally {
    await handle.close()
  }
}
