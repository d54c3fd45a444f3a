import { listPermissions } from '../../kernel/auth/permission.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { Host } from '../../kernel/host/host.ts'
import type { Call } from '../../kernel/http/route.ts'
import { Reply } from '../../kernel/http/route.ts'
import type { RouteRequest } from './decision/request.ts'
import { RouterError } from './decision/router-error.ts'
import type { RunRequest } from './run/router.ts'
import type { RouteBody, RunBody } from './schemas.ts'

const maxIdLength = 160
const maxPromptChars = 200_000
const maxPreviewChars = 4_000

/** Refuses ids that are too long. */
export function toRouteRequest(body: RouteBody, agentId: string): RouteRequest {
  const { explicitPolicy = body.policy, explicitTargets = [], promptPreview = '' } = body
  const { agentId: _, policy: __, refresh: ___, ...fields } = body
  for (const ref of explicitTargets) checkLength('explicitTargets', ref)
  return {
    ...fields,
    agentId,
    promptPreview: promptPreview.trim().slice(0, maxPreviewChars),
    taskClass: checkLength('taskClass', body.taskClass),
    explicitPolicy: checkLength('explicitPolicy', explicitPolicy),
    explicitTargets: [...new Set(explicitTargets)],
  }
}

function checkLength(field: string, id: string | undefined): string | undefined {
  if (id === undefined || id.length <= maxIdLength) return id
  throw new Refusal('too_large', 'field_too_long', `${field} may have ${maxIdLength} characters.`)
}

type RunCall = Pick<Call<unknown, unknown, RunBody>, 'body' | 'caller' | 'principal' | 'signal'>

export function toRunRequest(host: Pick<Host, 'newId'>, call: RunCall): RunRequest {
  const { body, caller, principal, signal } = call
  const { prompt, maxTokens, timeoutMs, ...fields } = body
  if (prompt.length > maxPromptChars)
    throw new Refusal(
      'too_large',
      'prompt_too_large',
      `prompt may have ${maxPromptChars} characters.`,
    )
  const { promptPreview = prompt } = fields
  return {
    requestId: host.newId(),
    subject: principal.subject,
    surface: 'native',
    route: toRouteRequest({ ...fields, promptPreview }, caller.agentId),
    prompt: { messages: [{ role: 'user', content: prompt }], maxTokens },
    timeoutMs,
    signal,
    refresh: body.refresh,
  }
}

export function isAdmin({ principal }: Pick<RunCall, 'principal'>): boolean {
  return listPermissions(principal).includes('admin')
}

/** Replies to an error of the router with this status, and puts the details of refusals in `details`. */
export async function withRouterReply<Result>(
  status: number,
  work: () => Promise<Result>,
): Promise<Result | Reply<never>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof RouterError) return toFailure(status, error)
    if (error instanceof Refusal && error.kind === 'too_many') {
      const { shouldRetry: _, ...details } = error.details
      throw new Refusal(error.kind, error.code, error.message, { details })
    }
    throw error
  }
}

function toFailure(status: number, { message, details }: RouterError): Reply<never> {
  return new Reply<never>(status, { error: message, code: 'inference_failed', details } as never)
}
