import { Refusal, type RefusalKind } from '../../kernel/errors/refusal.ts'

/** Why an operation on a source is refused. The default kind is `conflict`. */
const refusals = {
  source_not_found: 'No source has this id. See reverie source list.',
  source_deleting: 'The source is being deleted. Retry when it is gone.',
  raw_token:
    'The field tokenRef must be the name of a secret, not a token. Run reverie secret put NAME.',
  unsafe_target:
    'The address is not on the public internet. Add its origin to outbound.allow to read it.',
  too_many: 'The workspace has 200 sources. Delete one first.',
  too_many_files: 'The form has more than 25 files. Send several forms.',
  not_local_paths:
    'Only a program on the machine of the service may name paths. Call it there, or send the files.',
  picker_unavailable:
    'No dialog can be opened here. Start the service in a desktop session, set SVC_DIRECTORY_PICKER or SVC_FILE_PICKER, or type the path.',
  snapshot_busy: 'The source is being indexed or deleted. Retry when its run has ended.',
} as const

const kinds: Readonly<Record<string, RefusalKind>> = {
  source_not_found: 'not_found',
  raw_token: 'invalid',
  too_many_files: 'too_large',
  not_local_paths: 'invalid',
  picker_unavailable: 'not_implemented',
  unsafe_target: 'invalid',
}

export function sourcesRefusal(code: keyof typeof refusals): Refusal {
  return new Refusal(kinds[code] ?? 'conflict', code, refusals[code])
}

export function invalid(message: string): Refusal {
  return new Refusal('invalid', 'invalid_request', message)
}
