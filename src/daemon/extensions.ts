import { createEventStream, eventsModule } from '../capabilities/events/index.ts'
import { createMessages, messagesModule } from '../capabilities/messages/index.ts'
import { outboundSettings } from '../kernel/outbound/config.ts'
import { importRegistry } from './documents.ts'

/** The capabilities of `documents.ts`, then those by which agents and programs work together. */
export const extendedRegistry = importRegistry
  .add(messagesModule, (kernel, { agents, sessions }) =>
    createMessages({
      ...kernel,
      allowedOrigins: () => kernel.config.read(outboundSettings).allow,
      agents,
      sessions,
    }),
  )
  .add(eventsModule, (kernel, { agents }) => createEventStream({ ...kernel, agents }))
