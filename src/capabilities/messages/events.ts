import { isOfOwnAgent, isOfReadableAgent } from '../../kernel/events/event-audience.ts'
import { defineEvent } from '../../kernel/events/events.ts'
import type { Message } from './message.ts'

type SentMessage = Pick<
  Message,
  'id' | 'fromAgentId' | 'toAgentId' | 'toSessionKey' | 'broadcast' | 'project' | 'type'
>

/** Its sender and its addressees may learn of a message. */
export const messageSent = defineEvent<SentMessage>('message.sent', {
  stream: {
    toPublic: ({ id, fromAgentId, toAgentId, type }) => ({
      agentId: fromAgentId,
      id,
      toAgentId,
      messageType: type,
    }),
    isVisible: ({ broadcast, fromAgentId, project, toAgentId }, listener) => {
      const isReader = (agentId: string) => isOfOwnAgent({ agentId, project }, listener)
      if (isReader(fromAgentId) || (toAgentId !== null && isReader(toAgentId))) return true
      return broadcast && isOfReadableAgent({ agentId: fromAgentId, project }, listener)
    },
  },
})
