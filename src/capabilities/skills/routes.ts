import { type Route, route } from '../../kernel/http/route.ts'
import { readAnalytics } from './analytics.ts'
import type { createInstaller } from './install/install-skill.ts'
import { deleteSkill, listSkills, readInstalled } from './installed.ts'
import type { SkillsNeeds } from './needs.ts'
import * as wire from './schemas.ts'
import { searchSkills } from './search-skills.ts'

interface RoutesNeeds extends SkillsNeeds {
  readonly skillsFolder: string
  readonly install: ReturnType<typeof createInstaller>
}

export function skillsRoutes(needs: RoutesNeeds): readonly Route[] {
  const { skillsFolder, install } = needs
  return [
    route({
      name: 'skills.list',
      method: 'GET',
      path: '/api/skills',
      permission: 'recall',
      summary: 'List the installed skills.',
      reply: wire.listReply,
      handle: () => listSkills(needs, skillsFolder),
    }),
    route({
      name: 'skills.search',
      method: 'GET',
      path: '/api/skills/search',
      permission: 'recall',
      summary: 'Search the registry of skills and the installed ones.',
      query: wire.searchQuery,
      reply: wire.searchReply,
      handle: ({ query }) => searchSkills(needs, query.q) as never,
    }),
    route({
      name: 'skills.analytics',
      method: 'GET',
      path: '/api/skills/analytics',
      permission: 'analytics',
      summary: 'Count the uses of skills with their success and their latency.',
      query: wire.analyticsQuery,
      reply: wire.analyticsReply,
      handle: ({ caller, query }) => readAnalytics(needs, caller, query),
    }),
    route({
      name: 'skills.read',
      method: 'GET',
      path: '/api/skills/:name',
      permission: 'recall',
      summary: 'Read one skill with its text.',
      params: wire.byName,
      reply: wire.skillReply,
      handle: async ({ params }) => {
        const { permissions, ...skill } = await readInstalled(skillsFolder, params.name)
        return { ...skill, permissions: [...permissions] }
      },
    }),
    route({
      name: 'skills.install',
      method: 'POST',
      path: '/api/skills/install',
      permission: 'admin',
      limit: 'admin',
      summary: 'Install a skill from a package, a folder or an archive.',
      body: wire.installBody,
      reply: wire.installedReply,
      handle: ({ body }) => install({ name: body.name, source: body.source }),
    }),
    route({
      name: 'skills.delete',
      method: 'DELETE',
      path: '/api/skills/:name',
      permission: 'admin',
      limit: 'admin',
      summary: 'Remove an installed skill.',
      params: wire.byName,
      reply: wire.deletedReply,
      handle: ({ params }) => deleteSkill(skillsFolder, params.name),
    }),
  ]
}
