import { type Operation, operations, type PrivacyTier, privacyTiers } from '../inference/index.ts'
import { invalidField, unknownModel } from './refusals.ts'

/** What the model name and the headers of a request say about its route. */
export interface Routing {
  readonly operation: Operation
  readonly taskClass?: string
  readonly privacy?: PrivacyTier
  readonly explicitPolicy?: string
  readonly explicitTargets?: readonly string[]
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

const identifier = /^[\w.:/-]{1,160}$/
/** `<target id>/<model key>` */
const targetRef = /^[^/]+\/.+$/
const maxTargets = 8
const policyPrefix = 'policy:'
export const autoModel = 'svc:auto'

/** A header overrides the model name. */
export function readRouting(model: string | undefined, headers: Headers): Routing {
  const taskClass = readIdentifier(headers, 'x-svc-task-class')
  const privacy = readEnum(headers, 'x-svc-privacy-tier', privacyTiers)
  const policy = readIdentifier(headers, 'x-svc-route-policy')
  const targets = readTargets(headers, 'x-svc-explicit-target')
  const alias = readModel(model?.trim() ?? '')
  const explicitPolicy = policy ?? alias.explicitPolicy
  const explicitTargets = targets ?? (policy === undefined ? alias.explicitTargets : undefined)
  return {
    operation: readEnum(headers, 'x-svc-operation', operations) ?? 'interactive',
    ...(taskClass !== undefined && { taskClass }),
    ...(privacy && { privacy }),
    ...(explicitPolicy !== undefined && { explicitPolicy }),
    ...(explicitTargets && { explicitTargets }),
  }
}

function readModel(model: string): Pick<Routing, 'explicitPolicy' | 'explicitTargets'> {
  if (model === '' || model === autoModel) return {}
  if (model.startsWith(policyPrefix)) {
    const id = model.slice(policyPrefix.length)
    if (!identifier.test(id)) throw invalidField('model', 'The model names no policy.')
    return { explicitPolicy: id }
  }
  if (!identifier.test(model) || !targetRef.test(model))
    throw unknownModel(`Use "${autoModel}", "policy:<id>" or "<target>/<model>" as the model.`)
  return { explicitTargets: [model] }
}

function readHeader(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  const text = (Array.isArray(value) ? value.join(',') : (value ?? '')).trim()
  return text === '' ? undefined : text
}

function readIdentifier(headers: Headers, name: string): string | undefined {
  const value = readHeader(headers, name)
  if (value === undefined || identifier.test(value)) return value
  throw invalidField(name, `${name} must have at most 160 letters, digits and . _ : / -`)
}

function readEnum<Value extends string>(
  headers: Headers,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = readHeader(headers, name)
  const value = values.find((one) => one === text)
  if (text !== undefined && value === undefined)
    throw invalidField(name, `${name} must be one of ${values.join(', ')}`)
  return value
}

function readTargets(headers: Headers, name: string): readonly string[] | undefined {
  const refs = readHeader(headers, name)
    ?.split(',')
    .map((ref) => ref.trim())
  if (!refs) return undefined
  const unique = [...new Set(refs)]
  if (
    unique.length > maxTargets ||
    !unique.every((ref) => identifier.test(ref) && targetRef.test(ref))
  )
    throw invalidField(name, `${name} must list at most ${maxTargets} target refs.`)
  return unique
}
