import { z } from 'zod'
import { defineSettings } from '../config/settings.ts'
import { invalidRequest, Refusal } from '../errors/refusal.ts'
import { placeholder, redactSecrets, removePrivateSpans } from './redact.ts'
import { isSecretField } from './secret-field.ts'

const secretPolicies = ['redact', 'block', 'off'] as const
export type SecretPolicy = (typeof secretPolicies)[number]

export const redactionSettings = defineSettings(
  'hygiene',
  z
    .object({
      /** How credentials in stored content are handled. */
      secrets: z.enum(secretPolicies).default('redact'),
    })
    .prefault({}),
)

export interface RedactedContent<Value> {
  readonly value: Value
  /** Number of removed spans. */
  readonly redactions: number
}

interface Tally {
  redactions: number
  readonly kinds: Set<string>
}

/** Deeper values are refused, because the recursion would overflow the stack. */
const maxDepth = 200

/** Redacts every text and field name of a value. Refuses `credential_blocked`. */
export function redactContent<Value>(content: Value, mode: SecretPolicy): RedactedContent<Value> {
  const tally: Tally = { redactions: 0, kinds: new Set() }
  const value = walk(content, { mode, tally, depth: 0, isSecret: false }) as Value
  if (mode === 'block' && tally.kinds.size > 0)
    throw new Refusal('invalid', 'credential_blocked', 'content holds a credential', {
      kinds: [...tally.kinds],
    })
  return { value, redactions: tally.redactions }
}

interface Walk {
  readonly mode: SecretPolicy
  readonly tally: Tally
  readonly depth: number
  /** Returns whether the field name marks its value as a credential. */
  readonly isSecret: boolean
}

function walk(value: unknown, at: Walk): unknown {
  if (at.isSecret && isCredential(value)) return redactField(value, at)
  if (typeof value === 'string') return redactOne(value, at)
  if (typeof value !== 'object' || value === null) return value
  if (at.depth >= maxDepth)
    throw invalidRequest(`The body is nested deeper than ${maxDepth} levels. Flatten it.`)
  const within = { ...at, depth: at.depth + 1 }
  if (Array.isArray(value)) return value.map((one) => walk(one, within))
  const fields = Object.entries(value).map(([name, one]) => {
    const isSecret = at.mode !== 'off' && (isSecretField(name) || (at.isSecret && name === 'value'))
    return [redactOne(name, at), walk(one, { ...within, isSecret })]
  })
  return Object.fromEntries(fields)
}

function isCredential(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
}

function redactField(value: string | number, { tally }: Walk): string {
  if (value === placeholder) return value
  tally.redactions++
  tally.kinds.add('secret-field')
  return placeholder
}

function redactOne(content: string, { mode, tally }: Walk): string {
  const open = removePrivateSpans(content)
  tally.redactions += open.redactions
  if (mode === 'off') return open.text
  const { text, redactions, kinds } = redactSecrets(open.text)
  tally.redactions += redactions
  for (const kind of kinds) tally.kinds.add(kind)
  return text
}
