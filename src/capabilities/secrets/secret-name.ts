const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/
const maxNameLength = 128
/** Names of routes, and names of the service itself. */
const reservedName = /^(exec$|SVC_)/i

/** JSON Schema of a name; reserved names are refused in addition. */
export const nameSchema = { pattern: namePattern.source, maxLength: maxNameLength } as const

/** Returns whether a secret may have this name. */
export function isSecretName(name: string): boolean {
  return namePattern.test(name) && name.length <= maxNameLength && !reservedName.test(name)
}
