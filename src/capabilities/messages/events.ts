import { defineEvent } from '../../kernel/events/events.ts'
import type { Message } from './message.ts'

/** Listeners apply the reading rules before they pass it on. */
export const messageSent = defineEvent<{ readonly message: Message }>('message.sent')
