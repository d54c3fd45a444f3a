import { homedir } from 'node:os'
import { createEventStream, eventsModule } from '../capabilities/events/index.ts'
import { createMessages, messagesModule } from '../capabilities/messages/index.ts'
import { createTasks, tasksModule, tasksSettings } from '../capabilities/tasks/index.ts'
import { readVariables } from '../kernel/config/environment.ts'
import { outboundSettings } from '../kernel/outbound/config.ts'
import { toLocalUrl } from './daemon-file.ts'
import { importRegistry } from './documents.ts'

/** The capabilities of `documents.ts`, then those by which agents and programs work together. */
export const extendedRegistry = importRegistry
  .add(messagesModule, (kernel, { agents, hooks, sessions }) => {
    const messages = createMessages({
      ...kernel,
      allowedOrigins: () => kernel.config.read(outboundSettings).allow,
      agents,
      sessions,
    })
    hooks.notices.add(messages.notices)
    return messages
  })
  .add(eventsModule, (kernel, { agents }) => createEventStream({ ...kernel, agents }))
  .add(tasksModule, (kernel, { hooks, inference, skills }) => {
    const tasks = createTasks({
      ...kernel,
      config: () => kernel.config.read(tasksSettings),
      exclusive: kernel.database.file !== undefined,
      home: homedir(),
      models: inference.models,
      variables: readVariables,
      daemonUrl: () => toLocalUrl(kernel.self.bindHost, kernel.self.port()),
    })
    hooks.notices.add(tasks.notices)
    tasks.skills.add(skills.bodies)
    return tasks
  })
