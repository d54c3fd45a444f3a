import { Refusal } from '../../kernel/errors/refusal.ts'

export function documentNotFound(): Refusal {
  return new Refusal('not_found', 'not_found', 'Document not found')
}

export function jobNotFound(): Refusal {
  return new Refusal('not_found', 'not_found', 'Job not found')
}

export function invalidDocument(message: string): Refusal {
  return new Refusal('invalid', 'invalid_request', message)
}

export function contentTooLarge(maxBytes: number): Refusal {
  return new Refusal(
    'too_large',
    'body_too_large',
    `The document exceeds ${maxBytes} bytes. Divide it, or raise memory.pipelineV2.documents.maxContentBytes.`,
  )
}

/** Final for these bytes or this URL: a retry would fail the same way. */
export function notIngestible(reason: string, message: string): Refusal {
  return new Refusal('invalid', 'document_failed', `${reason}: ${message}`)
}
