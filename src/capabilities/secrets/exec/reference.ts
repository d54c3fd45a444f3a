import { isSecretName } from '../secret-name.ts'

const localReference = /^(?:local:\/\/)?(?<name>\w+)$/

/** Returns the name of a stored secret; undefined for any other reference. */
export function toLocalName(reference: string): string | undefined {
  const name = localReference.exec(reference)?.groups?.['name'] ?? ''
  return isSecretName(name) ? name : undefined
}

/** Whether a reference has one of the forms that a job accepts. */
export function isReference(reference: string): boolean {
  return localReference.test(reference)
}
