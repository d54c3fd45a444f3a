import { Refusal } from '../../kernel/errors/refusal.ts'

interface ReasonInput {
  readonly reason?: string | undefined
  readonly if_version?: number | undefined
  readonly force?: boolean | undefined
}

/** Merges query and body; the body takes precedence. */
export function mergeReason(query: ReasonInput, body: ReasonInput | null | undefined) {
  const reason = body?.reason ?? query.reason
  if (reason === undefined) throw new Refusal('invalid', 'invalid_request', 'reason is required')
  return {
    reason,
    ifVersion: body?.if_version ?? query.if_version,
    force: body?.force ?? query.force ?? false,
  }
}
