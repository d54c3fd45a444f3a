import { createHash } from 'node:crypto'

const marker = 'svc-memory-context'

export interface Enveloped {
  /** Empty without content. */
  readonly inject: string
  readonly contextHash?: string
  readonly contextVersion?: 1
}

/** Deterministic. Markers in the content are escaped, so it cannot close the envelope. */
export function envelop(content: string): Enveloped {
  const text = normalize(content)
  if (text === '') return { inject: '' }
  const inject = `<${marker}>\n${text}\n</${marker}>\n`
  const contextHash = createHash('sha256').update(inject, 'utf8').digest('hex')
  return { inject, contextHash, contextVersion: 1 }
}

function normalize(content: string): string {
  return content
    .replaceAll('\r\n', '\n')
    .replaceAll(/<(?=\/?svc-memory-context\b)/gi, '&lt;')
    .toWellFormed()
    .trimEnd()
}
