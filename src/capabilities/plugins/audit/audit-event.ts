import { redactStrictly } from '../../../kernel/redaction/redact.ts'
import { isSecretField } from '../../../kernel/redaction/secret-field.ts'
import { sliceText } from '../../../kernel/redaction/slice-text.ts'

type AuditEventName =
  | 'plugin.discovered'
  | 'plugin.enabled'
  | 'plugin.disabled'
  | 'plugin.blocked'
  | 'plugin.degraded'
  | 'plugin.health_failed'
  | 'plugin.capability_denied'
  | 'plugin.grants_changed'
  | 'prompt.contribution_added'
  | 'prompt.contribution_removed'
  | 'secret.listed'
  | 'secret.stored'
  | 'secret.deleted'
  | 'secret.resolved_for_exec'
  | 'secret.exec_started'
  | 'secret.exec_completed'
  | 'secret.key_rotated'
  | 'secret.provider_changed'

export interface AuditEntry {
  readonly event: AuditEventName
  readonly pluginId: string
  readonly result: 'ok' | 'denied' | 'degraded' | 'error'
  readonly source: 'plugin-host' | 'secrets-provider' | 'secrets-routes'
  readonly agentId?: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

export interface AuditEvent extends Omit<AuditEntry, 'event'> {
  readonly id: string
  /** ISO time. */
  readonly timestamp: string
  readonly event: string
}

const placeholder = '[REDACTED]'
const maxTextLength = 1_000
const maxItems = 200
const maxDepth = 6
const capabilityPattern = /^[a-z][a-z-]{0,40}(:[a-z][a-z-]{0,40}){1,2}$/
/** In addition to the names of credentials in stored content. */
const secretWord = /(?:^|[^a-z])(?:authorization|bearer|value|values)$/i

/** Redacts by the name of a field and by the form of a text. Idempotent. */
export function redactData(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactFields(data, 0)
}

function redactFields(fields: object, depth: number): Record<string, unknown> {
  const entries = Object.entries(fields).slice(0, maxItems)
  return Object.fromEntries(
    entries.map(([name, value]) => [redactText(name), redactField(name, value, depth)]),
  )
}

function redactField(name: string, value: unknown, depth: number): unknown {
  if (isSecretName(name)) return placeholder
  return isCapabilityList(name, value) ? value : redactValue(value, depth + 1)
}

/** A capability such as `secrets:list` looks like an assignment to the name of a secret. */
function isCapabilityList(name: string, value: unknown): boolean {
  return (
    name.endsWith('Capabilities') &&
    Array.isArray(value) &&
    value.every((one) => typeof one === 'string' && capabilityPattern.test(one))
  )
}

function isSecretName(name: string): boolean {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').trim()
  return isSecretField(name) || secretWord.test(words)
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return placeholder
  if (Array.isArray(value))
    return value.slice(0, maxItems).map((one) => redactValue(one, depth + 1))
  return redactFields(value, depth)
}

function redactText(text: string): string {
  return sliceText(redactStrictly(text).text, 0, maxTextLength)
}
