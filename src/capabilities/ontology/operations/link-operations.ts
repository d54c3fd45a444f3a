import { invalidRequest, notFound } from '../../../kernel/errors/refusal.ts'
import { isSourceId, type Link } from '../../knowledge/index.ts'
import type { Fields } from './fields.ts'
import { type Operation, type OperationContext, readArchive, selectEntity } from './operation.ts'
import { toLinkReply } from './replies.ts'

export const linkOperations = {
  create_link: {
    isContent: true,
    run: async (context, fields) => {
      const { graph, write, confidence, origin } = context
      const type = readType(fields.required('link_type', 'type'))
      const source = await selectEntity(context, fields, 'source_entity')
      const target = await selectEntity(context, fields, 'target_entity')
      const { confidence: own, ...rest } = readLink(fields)
      const input = { ...rest, confidence: own ?? confidence, source, target, type, origin }
      const { row } = await graph.createLink(write, input)
      return { dependencyId: row.id, dependency: toLinkReply(row) }
    },
  },
  update_link: {
    isContent: true,
    run: async (context, fields) => {
      const type = fields.text('link_type', 'type')
      const input = { ...readLink(fields), ...(type !== undefined && { type: readType(type) }) }
      const link = await selectLink(context, fields)
      if (link.status !== 'active') throw notFound('Link not found')
      if (Object.keys(defined(input)).length === 0) throw invalidRequest('nothing to update')
      const row = await context.graph.updateLink(context.write, link, defined(input))
      return { dependencyId: row.id, dependency: toLinkReply(row) }
    },
  },
  archive_link: {
    isContent: false,
    run: async (context, fields) => {
      const link = await selectLink(context, fields)
      await context.graph.archiveLink(context.write, link, readArchive(fields))
      return { dependencyId: link.id }
    },
  },
  attach_interface: {
    isContent: true,
    run: async (context, fields) => {
      const { graph, write, confidence, origin } = context
      const source = await selectEntity(context, fields, 'entity')
      const target = await selectEntity(context, fields, 'interface')
      const input = { confidence, source, target, type: 'implements', origin }
      const { row } = await graph.createLink(write, input)
      return { dependencyId: row.id }
    },
  },
} as const satisfies Readonly<Record<string, Operation>>

async function selectLink(
  { graph, write: { db, agentId } }: OperationContext,
  fields: Fields,
): Promise<Link> {
  const link = await graph.findLink(db, agentId, fields.required('dependency_id', 'link_id', 'id'))
  if (!link || isSourceId(link.id)) throw notFound('Link not found')
  return link
}

function readLink(fields: Fields) {
  return {
    strength: fields.share('strength'),
    confidence: fields.share('confidence'),
    reason: fields.text('reason'),
  }
}

function defined<Input extends object>(input: Input): Input {
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined),
  ) as Input
}

/** `depends on` is `depends_on`. */
function readType(type: string): string {
  return type.toLowerCase().replaceAll(/[\s-]+/g, '_')
}
