import { type Route, route } from '../../kernel/http/route.ts'
import type { GitService } from './git-operations.ts'
import * as wire from './schemas.ts'

const maxBodyBytes = 65_536

const read = { method: 'GET', permission: 'diagnostics', requiresUnscoped: true } as const
const change = {
  method: 'POST',
  permission: 'admin',
  bodyLimit: maxBodyBytes,
} as const

export function gitRoutes(service: GitService): readonly Route[] {
  return [
    route({
      ...read,
      name: 'git.status',
      path: '/api/git/status',
      summary: 'Report the branch, the changes and the credentials of the workspace repository.',
      reply: wire.statusReply,
      handle: () => service.status(),
    }),
    route({
      ...read,
      name: 'git.config',
      path: '/api/git/config',
      summary: 'Read the settings of git sync that are in effect.',
      reply: wire.configReply,
      handle: async () => service.config(),
    }),
    route({
      ...change,
      name: 'git.configure',
      path: '/api/git/config',
      summary: 'Change settings of git sync until the next start.',
      body: wire.configBody,
      reply: wire.configuredReply,
      handle: async ({ body }) => ({ success: true as const, config: service.configure(body) }),
    }),
    route({
      ...change,
      name: 'git.init',
      path: '/api/git/init',
      summary: 'Make the workspace a git repository.',
      body: wire.initBody,
      reply: wire.initReply,
      handle: ({ body }) => service.init(body),
    }),
    route({
      ...change,
      name: 'git.pull',
      path: '/api/git/pull',
      summary: 'Bring the commits of the remote into the workspace; no local text is lost.',
      body: wire.emptyBody,
      reply: wire.pullReply,
      handle: () => service.pull(),
    }),
    route({
      ...change,
      name: 'git.push',
      path: '/api/git/push',
      summary: 'Send the commits of the workspace to the remote, never by force.',
      body: wire.emptyBody,
      reply: wire.pushReply,
      handle: () => service.push(),
    }),
    route({
      ...change,
      name: 'git.sync',
      path: '/api/git/sync',
      summary: 'Pull, then push; with automatic commits also commit the watched files.',
      body: wire.emptyBody,
      reply: wire.syncReply,
      handle: () => service.sync(),
    }),
  ]
}
