import { Refusal, type RefusalKind } from '../../kernel/errors/refusal.ts'

/** Why an import is refused. */
const refusals = {
  transcript_import_conflict: 'The state of the import does not permit this operation.',
  transcript_import_invalid_chunk: 'The headers do not describe this chunk.',
  transcript_import_too_large: 'The upload exceeds a limit.',
  transcript_import_busy: 'Four files are being transferred. Retry when one is done.',
  transcript_import_storage_full: 'The disk is full. Free space and resume the upload.',
  transcript_import_length_required: 'Send the size of the file in Upload-Length.',
  agent_scope_denied: 'Imports belong to the agent of this service.',
} as const

const kinds: Readonly<Record<keyof typeof refusals, RefusalKind>> = {
  transcript_import_conflict: 'conflict',
  transcript_import_invalid_chunk: 'invalid',
  transcript_import_too_large: 'too_large',
  transcript_import_busy: 'too_many',
  transcript_import_storage_full: 'storage_full',
  transcript_import_length_required: 'length_required',
  agent_scope_denied: 'forbidden',
}

export function importRefusal(
  code: keyof typeof refusals,
  message: string = refusals[code],
  details: Record<string, unknown> = {},
): Refusal {
  return new Refusal(kinds[code], code, message, details)
}

export function conflict(message: string): Refusal {
  return importRefusal('transcript_import_conflict', message)
}

export function invalidChunk(message: string): Refusal {
  return importRefusal('transcript_import_invalid_chunk', message)
}

export function tooLarge(message: string): Refusal {
  return importRefusal('transcript_import_too_large', message)
}

export function importNotFound(): Refusal {
  return new Refusal('not_found', 'not_found', 'The import or its file does not exist.')
}
