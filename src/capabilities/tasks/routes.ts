import { assertAllProjects } from '../../kernel/auth/permission.ts'
import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { readLastEventId, toServerSentEvents } from '../../kernel/http/stream.ts'
import * as tasks from './manage-tasks.ts'
import type { TasksNeeds } from './needs.ts'
import * as wire from './schemas.ts'

/** A task belongs to an agent and to no project. */
const common = { bodyPrecondition: assertAllProjects }
const admin = { ...common, permission: 'admin' } as const
const reads = { ...common, permission: 'recall' } as const

export function tasksRoutes(needs: TasksNeeds): readonly Route[] {
  return [...taskRoutes(needs), ...runRoutes(needs)]
}

function taskRoutes(needs: TasksNeeds): readonly Route[] {
  return [
    route({
      ...reads,
      name: 'tasks.list',
      method: 'GET',
      path: '/api/tasks',
      summary: 'List the scheduled tasks, the newest first.',
      query: wire.agentQuery,
      reply: wire.tasksReply,
      handle: async ({ caller }) => {
        const listed = await tasks.listTasks(needs, caller)
        return { ...listed, tasks: listed.tasks.map(wire.toTaskReply) }
      },
    }),
    route({
      ...admin,
      name: 'tasks.create',
      method: 'POST',
      path: '/api/tasks',
      limit: 'admin',
      summary: 'Create a task that runs a prompt by a schedule.',
      body: wire.createBody,
      reply: wire.createdReply,
      handle: async ({ caller, body }) =>
        new Reply(201, await tasks.createTask(needs, caller, body)),
    }),
    route({
      ...reads,
      name: 'tasks.read',
      method: 'GET',
      path: '/api/tasks/:id',
      summary: 'Read a task and its newest runs.',
      params: wire.byId,
      query: wire.agentQuery,
      reply: wire.taskReply,
      handle: async ({ caller, params: { id } }) => {
        const { task, runs } = await tasks.readTaskWithRuns(needs, caller, id)
        return { task: wire.toTaskReply(task), runs: runs.map(wire.toRunReply) }
      },
    }),
    route({
      ...admin,
      name: 'tasks.update',
      method: 'PATCH',
      path: '/api/tasks/:id',
      limit: 'admin',
      summary: 'Update a task. Absent fields stay unchanged.',
      params: wire.byId,
      body: wire.updateBody,
      reply: wire.successReply,
      handle: ({ caller, params, body }) => tasks.updateTask(needs, caller, params.id, body),
    }),
    route({
      ...admin,
      name: 'tasks.delete',
      method: 'DELETE',
      path: '/api/tasks/:id',
      limit: 'admin',
      summary: 'Delete a task and its runs. A live run is ended.',
      params: wire.byId,
      query: wire.agentQuery,
      reply: wire.successReply,
      handle: ({ caller, params: { id } }) => tasks.deleteTask(needs, caller, id),
    }),
  ]
}

function runRoutes(needs: TasksNeeds): readonly Route[] {
  return [
    route({
      ...admin,
      name: 'tasks.run',
      method: 'POST',
      path: '/api/tasks/:id/run',
      summary: 'Run a task now.',
      params: wire.byId,
      body: wire.agentQuery,
      reply: wire.startedReply,
      handle: async ({ caller, params: { id } }) =>
        new Reply(202, await tasks.runTask(needs, caller, id)),
    }),
    route({
      ...admin,
      name: 'tasks.cancel',
      method: 'POST',
      path: '/api/tasks/:id/cancel',
      summary: 'End the live run of a task.',
      params: wire.byId,
      body: wire.agentQuery,
      reply: wire.cancelledReply,
      handle: ({ caller, params: { id } }) => tasks.cancelTask(needs, caller, id),
    }),
    route({
      ...reads,
      name: 'tasks.runs',
      method: 'GET',
      path: '/api/tasks/:id/runs',
      summary: 'List the runs of a task, the newest first, with the end of their output.',
      params: wire.byId,
      query: wire.runsQuery,
      reply: wire.runsReply,
      handle: async ({ caller, params: { id }, query }) => {
        const page = await tasks.listTaskRuns(needs, caller, id, query)
        return { ...page, runs: page.runs.map(wire.toRunReply) }
      },
    }),
    route({
      ...reads,
      name: 'tasks.read-run',
      method: 'GET',
      path: '/api/tasks/:id/runs/:runId',
      summary: 'Read a run with its whole output.',
      params: wire.byRun,
      query: wire.agentQuery,
      reply: wire.runReply,
      handle: async ({ caller, params }) => ({
        run: wire.toRunReply(await tasks.readRun(needs, caller, params)),
      }),
    }),
    route({
      ...admin,
      name: 'tasks.follow',
      method: 'GET',
      path: '/api/tasks/:id/stream',
      isSubscription: true,
      summary: 'Stream the runs of a task and their output as server-sent events.',
      params: wire.byId,
      query: wire.agentQuery,
      handle: async ({ caller, headers, params, signal }) => {
        const { id } = await tasks.readTask(needs, caller, params.id)
        const events = needs.live.follow(id, signal, readLastEventId(headers))
        needs.foreign.watch(id, signal)
        return toServerSentEvents(events)
      },
    }),
  ]
}
