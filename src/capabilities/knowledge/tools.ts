import { z } from 'zod'
import { type Tool, tool } from '../../kernel/http/tool.ts'
import { defaultGroup } from './claim.ts'
import * as render from './tool-texts.ts'

const text = z.string()
const entity = text.min(1).describe('Name or alias of the entity')
const aspect = text.min(1).describe('Name of the aspect, from knowledge_tree')
const group = text.describe(`Group of the claim, from knowledge_tree; default ${defaultGroup}`)
const claim = text.min(1).describe('Key of the claim, from knowledge_tree')

/** MCP tools. All read the graph. */
export const knowledgeTools: readonly Tool[] = [
  tool({
    name: 'knowledge_entities',
    title: 'List known entities',
    effect: 'reads',
    route: 'knowledge.entities',
    description:
      'List the people, projects, tools and other entities of the knowledge graph, pinned and most mentioned first.',
    input: z.object({
      query: text.describe('Part of a name').optional(),
      type: text.describe('Filter by type: person, project, tool, …').optional(),
      limit: z.number().describe('Maximum number of entities, up to 200; default 50').optional(),
      offset: z.number().describe('Number to skip').optional(),
    }),
    toRouteInput: ({ query: q, ...page }) => ({ query: { q, ...page } }),
    toText: (reply) => render.entities(reply as Parameters<typeof render.entities>[0]),
  }),
  tool({
    name: 'knowledge_entity',
    title: 'Read an entity',
    effect: 'reads',
    route: 'knowledge.entity',
    description:
      'Read an entity by its name or alias: id, type and counts. knowledge_tree lists what is known of it.',
    input: z.object({ name: entity }),
    toRouteInput: (query) => ({ query }),
    toText: (reply) => render.entity(reply as Parameters<typeof render.entity>[0]),
  }),
  tool({
    name: 'knowledge_tree',
    title: 'Read the outline of an entity',
    effect: 'reads',
    route: 'knowledge.tree',
    description:
      'Read what is known of an entity as an outline: aspects, groups, and claims with their current value.',
    input: z.object({
      entity,
      depth: z.number().describe('1 aspects, 2 groups, 3 claims; default 3').optional(),
    }),
    toRouteInput: (query) => ({ query }),
    toText: (reply) => render.tree(reply as Parameters<typeof render.tree>[0]),
  }),
  tool({
    name: 'knowledge_claims',
    title: 'Read the values of a claim',
    effect: 'reads',
    route: 'knowledge.attributes',
    description:
      'Read the values of one claim of an entity, current or earlier, truncated; memory_get returns a current value in full by its id.',
    input: z.object({
      entity,
      aspect,
      group: group.optional(),
      claim,
      status: z
        .enum(['active', 'superseded', 'deleted', 'all'])
        .describe('Filter by status; default active')
        .optional(),
    }),
    toRouteInput: (query) => ({ query }),
    toText: (reply) => render.claims(reply as Parameters<typeof render.claims>[0]),
  }),
  tool({
    name: 'knowledge_evidence',
    title: 'Read the evidence of a claim',
    effect: 'reads',
    route: 'knowledge.claim-evidence',
    routeByArgument: { argument: 'link_id', route: 'knowledge.link-evidence' },
    description:
      'Read which sources support a claim, with quotes: name entity, aspect and claim. Or name link_id for a link.',
    input: z.object({
      entity: entity.optional(),
      aspect: aspect.optional(),
      group: group.optional(),
      claim: claim.optional(),
      link_id: text.min(1).describe('The id of a link, instead of the claim').optional(),
    }),
    toRouteInput: ({ link_id: id, ...query }) =>
      id === undefined ? { query: { group: defaultGroup, ...query } } : { params: { id } },
    toText: (reply) => render.evidence(reply as Parameters<typeof render.evidence>[0]),
  }),
  tool({
    name: 'knowledge_hygiene_report',
    title: 'Report problems of the graph',
    effect: 'reads',
    route: 'knowledge.hygiene',
    description:
      'Report suspicious entities, duplicate names, incomplete claims, and memories that name an entity without a link to it. Changes nothing.',
    input: z.object({
      limit: z.number().describe('Maximum number of entities, up to 500; default 50').optional(),
      memory_limit: z
        .number()
        .describe('Number of the newest memories to scan, up to 1000; default 200')
        .optional(),
    }),
    toRouteInput: (query) => ({ query }),
    toText: (reply) => render.hygiene(reply as Parameters<typeof render.hygiene>[0]),
  }),
]
