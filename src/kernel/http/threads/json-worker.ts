/** Looking at each field costs several times the parsing: only where one may have the name. */
const mayNamePrototype = /__proto__|\\u005f/i
/** What is nested deeper can be read, and not be handed over from thread to thread. */
const deepest = 500

/** Undefined for what is no JSON. */
export function parse(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  try {
    return mayNamePrototype.test(text) ? JSON.parse(text, dropPrototypes) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same for a long one, in a thread; undefined as well for what is nested without end. */
export function parseApart(bytes: Uint8Array): unknown {
  const read = parse(bytes)
  return isDeeper(read, deepest) ? undefined : read
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/** A field of this name would become the prototype of whatever copies the body. */
function dropPrototypes(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}
