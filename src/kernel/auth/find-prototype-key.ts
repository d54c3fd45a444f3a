/** Keys that reach the prototype of an object into which a JSON value is copied. */
const prototypeKey = '__proto__'
const prototypePath = ['constructor', 'prototype'] as const

/** Finds a key, at any depth, that would change a prototype when the JSON value is copied. */
export function findPrototypeKey(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, prototypeKey)) return prototypeKey
  if (namesPrototype(value)) return prototypePath.join('.')
  for (const inner of Object.values(value)) {
    const nested = findPrototypeKey(inner)
    if (nested !== undefined) return nested
  }
  return undefined
}

function namesPrototype(value: object): boolean {
  const [outer, inner] = prototypePath
  if (!Object.hasOwn(value, outer)) return false
  const nested = Object.getOwnPropertyDescriptor(value, outer)?.value
  return typeof nested === 'object' && nested !== null && Object.hasOwn(nested, inner)
}
