import { invalidRequest, notFound } from '../../../kernel/errors/refusal.ts'
import { type Entity, toCanonicalName } from '../../knowledge/index.ts'
import type { Fields } from './fields.ts'
import {
  type Operation,
  type OperationContext,
  readArchive,
  selectEntity,
  selfMergeRule,
} from './operation.ts'
import { toEntityReply } from './replies.ts'

const createOfType = (entityType: string): Operation => ({
  isContent: true,
  run: async ({ graph, write }, fields) => {
    const { row } = await graph.upsertEntity(write, { name: fields.required('name'), entityType })
    return { entityId: row.id }
  },
})

const pin = (pinned: boolean): Operation => ({
  isContent: false,
  isAuditOnly: true,
  run: async (context, fields) => {
    const entity = await selectEntity(context, fields, 'entity')
    const { id } = await context.graph.pinEntity(context.write, entity, pinned)
    return { entityId: id, pinned }
  },
})

export const entityOperations = {
  create_entity: {
    isContent: true,
    run: async ({ graph, write }, fields) => {
      const input = {
        name: fields.required('name'),
        entityType: fields.text('entity_type', 'type'),
        description: fields.text('description'),
      }
      const { row } = await graph.upsertEntity(write, input)
      return { entityId: row.id, entity: toEntityReply(row) }
    },
  },
  rename_entity: {
    isContent: true,
    run: async (context, fields) => {
      const newName = fields.required('new_name')
      const entity = await selectEntity(context, fields, 'entity')
      const input = { newName, force: fields.flag('force') }
      const row = await context.graph.renameEntity(context.write, entity, input)
      return { entityId: row.id, previousName: entity.name, entity: toEntityReply(row) }
    },
  },
  archive_entity: {
    isContent: false,
    run: async (context, fields) => {
      const entity = await selectEntity(context, fields, 'entity')
      const ids = await context.graph.archiveEntity(context.write, entity, readArchive(fields))
      return { entityId: entity.id, archivedAttributeIds: ids }
    },
  },
  merge_entities: { isContent: false, run: mergeEntities },
  create_action_type: createOfType('action'),
  create_interface: createOfType('interface'),
  pin_entity: pin(true),
  unpin_entity: pin(false),
  create_entity_alias: {
    isContent: true,
    isAuditOnly: true,
    run: async (context, fields) => {
      const input = {
        alias: fields.required('alias'),
        confidence: fields.share('confidence') ?? 1,
        source: fields.text('source') ?? 'operator',
      }
      const entity = await selectEntity(context, fields, 'entity')
      const item = await context.graph.addAlias(context.write, entity, input)
      return { entityId: entity.id, aliasId: item.id, item }
    },
  },
  archive_entity_alias: {
    isContent: false,
    isAuditOnly: true,
    run: async (context, fields) => {
      const { graph, write } = context
      const entity = await selectEntity(context, fields, 'entity')
      const aliases = await graph.listAliases(write.db, write.agentId, entity.id)
      const alias = aliases.find(({ id }) => id === fields.required('alias_id'))
      if (!alias) throw notFound('Alias not found')
      const item = await graph.archiveAlias(write, alias)
      return { entityId: entity.id, aliasId: item.id, item }
    },
  },
  split_entity: {
    isContent: true,
    isAuditOnly: true,
    run: async (context, fields) => {
      const input = {
        name: fields.required('name'),
        entityType: fields.text('entity_type'),
        aspectIds: fields.list('aspect_ids'),
        attributeIds: fields.list('attribute_ids'),
        linkIds: fields.list('link_ids'),
        aliasIds: fields.list('alias_ids'),
      }
      const from = await selectEntity(context, fields, 'entity')
      const { entity, moved } = await context.graph.splitEntity(context.write, from, input)
      return { entity: toEntityReply(entity), moved }
    },
  },
} as const satisfies Readonly<Record<string, Operation>>

interface Source {
  readonly name: string
  readonly entity: Entity | undefined
}

async function mergeEntities(context: OperationContext, fields: Fields) {
  const { graph, write } = context
  const target = await selectEntity(context, fields, 'target')
  const sources = await selectSources(context, fields, target)
  const entities = sources.flatMap(({ entity }) => (entity ? [entity] : []))
  const input = { target, sources: entities, force: fields.flag('force') }
  const merged = await graph.mergeEntities(write, input)
  const otherTypes = entities.filter(({ entityType }) => entityType !== target.entityType)
  return {
    targetEntityId: target.id,
    targetEntityName: target.name,
    mergedEntities: merged.map(({ name, entityId, movedAspects }) => ({
      name,
      entityId,
      movedAspects,
    })),
    alreadyMergedEntities: sources.flatMap(({ name, entity }) => (entity ? [] : [name])),
    warnings: otherTypes.map(({ name, entityType }) => `${name} had the type ${entityType}.`),
    relationshipsChanged: merged.reduce((sum, one) => sum + one.relationshipsChanged, 0),
  }
}

/** A source that was merged into the target before has no entity. */
async function selectSources(
  context: OperationContext,
  fields: Fields,
  target: Entity,
): Promise<readonly Source[]> {
  const [ids, names] = [fields.list('source_ids'), fields.list('sources')]
  if (ids.length + names.length === 0) throw invalidRequest('sources is required')
  const sources: Source[] = []
  for (const id of ids) sources.push(await findSource(context, target, { id }))
  for (const name of names) sources.push(await findSource(context, target, { name }))
  const byId = new Map(sources.map((source) => [source.entity?.id ?? source.name, source]))
  return [...byId.values()]
}

async function findSource(
  { graph, write: { db, agentId } }: OperationContext,
  target: Entity,
  by: { readonly id: string } | { readonly name: string },
): Promise<Source> {
  if ('id' in by) {
    const archived = await graph.findArchived(db, agentId, by)
    if (archived?.archiveReason === graph.mergeReason(target))
      return { name: archived.name, entity: undefined }
  }
  const entity = await graph.selectEntity(db, agentId, by)
  if (entity.id !== target.id) return { name: entity.name, entity }
  const isAlias = 'name' in by && toCanonicalName(by.name) !== target.canonicalName
  if (!isAlias) throw invalidRequest(selfMergeRule)
  return { name: by.name, entity: undefined }
}
