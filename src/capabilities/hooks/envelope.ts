import { createHash } from 'node:crypto'

const marker = 'svc-memory-context'

export interface Enveloped {
  /** Empty when there is nothing to tell. */
  readonly inject: string
  readonly contextHash?: string
  readonly contextVersion?: 1
}

/** The same content gives the same bytes; nothing in it can end the envelope early. */
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
