import { findPrototypeKey } from '../../auth/find-prototype-key.ts'

/**
 * Walking all fields costs several times the parsing, so only bodies that may contain the key are
 * walked.
 */
const mayNamePrototype = /__proto__|prototype|\\u00[4-7]/i
/** Deeper values can be parsed, but not transferred between threads. */
const maxDepth = 500

export interface ParsedBody {
  /** Undefined for invalid JSON. */
  readonly value?: unknown
  /** The prototype key for which the body is refused. */
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

/** Parses a long body in a thread. Returns no value for one that is nested too deeply. */
export function parseApart(bytes: Uint8Array): ParsedBody {
  const parsed = parse(bytes)
  return isDeeper(parsed.value, maxDepth) ? {} : parsed
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
