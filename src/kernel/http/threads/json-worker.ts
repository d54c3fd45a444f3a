import { findPrototypeKey } from '../../auth/find-prototype-key.ts'

/** Looking at each field costs several times the parsing: only where one may have the name. */
const mayNamePrototype = /__proto__|prototype|\\u00[4-7]/i
/** What is nested deeper can be read, and not be handed over from thread to thread. */
const deepest = 500

export interface ParsedBody {
  /** Undefined for what is no JSON. */
  readonly value?: unknown
  /** A key for which the body is refused. */
  readonly prototypeKey?: string
}

export function parse(bytes: Uint8Array): ParsedBody {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  try {
    const value: unknown = JSON.parse(text)
    const prototypeKey = mayNamePrototype.test(text) ? findPrototypeKey(value) : undefined
    return prototypeKey === undefined ? { value } : { prototypeKey }
  } catch {
    return {}
  }
}

/** The same for a long one, in a thread; no value as well for what is nested without end. */
export function parseApart(bytes: Uint8Array): ParsedBody {
  const parsed = parse(bytes)
  return isDeeper(parsed.value, deepest) ? {} : parsed
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
