import type { Turn } from '../transcript.ts'
import type { Told } from './record.ts'

/** The session file holds most turns twice: a completed item counts before an event, an event before a message. */
export function hearCodex(told: readonly Told[]): readonly Told[] {
  const bestOf = (role: Turn['role'], origins: readonly Told['origin'][]) =>
    origins.find((origin) => told.some((one) => one.role === role && one.origin === origin))
  const origins = ['completed', 'event', 'message'] as const
  const user = bestOf('user', origins)
  const assistant = bestOf('assistant', origins)
  return told.filter(({ role, origin }) => origin === (role === 'user' ? user : assistant))
}
