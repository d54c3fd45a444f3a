import type { Caller } from '../../kernel/auth/caller.ts'
import type { Audit, AuditEntry } from '../plugins/index.ts'
import { pluginId } from './plugin.ts'

interface SecretEvent {
  /** Names, numbers and states; never a value or a part of a command. */
  readonly data?: AuditEntry['data']
  readonly result?: AuditEntry['result']
}

export type SecretAudit = (
  event: Extract<AuditEntry['event'], `secret.${string}`>,
  caller: Pick<Caller, 'agentId'>,
  about?: SecretEvent,
) => void

/** Records each use of a secret with its agent. */
export function createSecretAudit(audit: Audit): SecretAudit {
  return (event, { agentId }, { data = {}, result = 'ok' } = {}) =>
    audit.add({ event, pluginId, agentId, result, source: 'secrets-provider', data })
}
