import { Refusal } from '../../kernel/errors/refusal.ts'

/** Also for a message that the caller may not read. */
export function messageNotFound(): Refusal {
  return new Refusal('not_found', 'message_not_found', 'Message not found')
}

export function storeFull(maxMessages: number): Refusal {
  const message = `${maxMessages} messages are stored. Wait until some expire.`
  return new Refusal('too_many', 'message_store_full', message)
}

export function sessionNotActive(sessionKey: string): Refusal {
  const message = `Session '${sessionKey}' is not active, or belongs to several agents. Name the agent of an active session.`
  return new Refusal('invalid', 'session_not_active', message)
}

export function originNotAllowed(origin: string): Refusal {
  const message = `Messages are not delivered to ${origin}. Add the origin to \`outbound.allow\`.`
  return new Refusal('invalid', 'acp_origin_not_allowed', message, { origin })
}

/** The delivery is complete, under way, local, or out of attempts. */
export function notRetryable(why: string): Refusal {
  return new Refusal('conflict', 'message_not_retryable', `The message is not sent again: ${why}.`)
}
