import { assertPrintableKeys } from '../auth/assert-printable-keys.ts'

export const projectHeader = 'x-svc-project'

/** The project in which the caller works. It is percent-encoded UTF-8, for a header holds ASCII alone. */
export function readProject(headers: Readonly<Record<string, unknown>>): string | undefined {
  const value = headers[projectHeader]
  const project = typeof value === 'string' ? decode(value.trim()) : ''
  assertPrintableKeys([{ [projectHeader]: project }])
  return project || undefined
}

/** A value with a percent sign of its own may be no encoding. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
