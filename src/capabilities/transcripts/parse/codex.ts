import type { Turn } from '../transcript.ts'
import type { Told } from './record.ts'

/** Most turns are told twice: a user's counts as an event, an assistant's where it is complete. */
export function hearCodex(told: readonly Told[]): readonly Told[] {
  const bestOf = (role: Turn['role'], origins: readonly Told['origin'][]) =>
    origins.find((origin) => told.some((one) => one.role === role && one.origin === origin))
  const user = bestOf('user', ['event', 'message'])
  const assistant = bestOf('assistant', ['completed', 'event', 'message'])
  return told.filter(({ role, origin }) => origin === (role === 'user' ? user : assistant))
}
