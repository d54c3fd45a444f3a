import { assertPrintableKeys } from '../auth/assert-printable-keys.ts'

export const projectHeader = 'x-svc-project'

/**
 * Reads the project of the caller. It is percent-encoded UTF-8, because a header contains only
 * ASCII.
 */
export function readProject(headers: Readonly<Record<string, unknown>>): string | undefined {
  const value = headers[projectHeader]
  const project = typeof value === 'string' ? decode(value.trim()) : ''
  assertPrintableKeys([{ [projectHeader]: project }])
  return project || undefined
}

/** A plain value with a percent sign may be an invalid encoding. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
