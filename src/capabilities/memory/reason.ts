import { Refusal } from '../../kernel/errors/refusal.ts'

interface ReasonInput {
  readonly reason?: string | undefined
  readonly if_version?: number | undefined
  readonly force?: boolean | undefined
}

/** What an operation is told in its query or in its body: the body counts first. */
export function mergeReason(query: ReasonInput, body: ReasonInput | null | undefined) {
  const reason = body?.reason ?? query.reason
  if (reason === undefined) throw new Refusal('invalid', 'invalid_request', 'reason is required')
  return {
    reason,
    ifVersion: body?.if_version ?? query.if_version,
    force: body?.force ?? query.force ?? false,
  }
}
