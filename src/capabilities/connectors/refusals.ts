import { notFound, Refusal } from '../../kernel/errors/refusal.ts'
import type { Provider } from './connector.ts'

export function connectorNotFound(): Refusal {
  return notFound('Connector not found')
}

export function tooManyConnectors(max: number): Refusal {
  return new Refusal(
    'conflict',
    'too_many_connectors',
    `The workspace has ${max} connectors. Delete one first.`,
  )
}

export function notSupported(provider: Provider): Refusal {
  return new Refusal(
    'not_implemented',
    'provider_not_supported',
    `Provider ${provider} not yet supported`,
  )
}
