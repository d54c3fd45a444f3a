import type { Turn } from '../transcript.ts'
import type { RawTurn } from './record.ts'

/** Codex records most turns twice: completed items take precedence over events, events over messages. */
export function selectCodexTurns(turns: readonly RawTurn[]): readonly RawTurn[] {
  const bestOf = (role: Turn['role'], origins: readonly RawTurn['origin'][]) =>
    origins.find((origin) => turns.some((turn) => turn.role === role && turn.origin === origin))
  const origins = ['completed', 'event', 'message'] as const
  const user = bestOf('user', origins)
  const assistant = bestOf('assistant', origins)
  return turns.filter(({ role, origin }) => origin === (role === 'user' ? user : assistant))
}
