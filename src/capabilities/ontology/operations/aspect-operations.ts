import type { Fields } from './fields.ts'
import { type Operation, type OperationContext, readArchive, selectEntity } from './operation.ts'

export const aspectOperations = {
  create_aspect: {
    isContent: true,
    run: async (context, fields) => {
      const input = { name: fields.required('aspect', 'name'), weight: fields.share('weight') }
      const entity = await selectEntity(context, fields, 'entity')
      const { row } = await context.graph.upsertAspect(context.write, entity, input)
      return { entityId: entity.id, aspectId: row.id }
    },
  },
  rename_aspect: {
    isContent: true,
    run: async (context, fields) => {
      const newName = fields.required('new_name')
      const aspect = await selectAspect(context, fields)
      const row = await context.graph.renameAspect(context.write, aspect, newName)
      return { entityId: row.entityId, aspectId: row.id }
    },
  },
  archive_aspect: {
    isContent: false,
    run: async (context, fields) => {
      const aspect = await selectAspect(context, fields)
      const ids = await context.graph.archiveAspect(context.write, aspect, readArchive(fields))
      return { aspectId: aspect.id, archivedAttributeIds: ids }
    },
  },
} as const satisfies Readonly<Record<string, Operation>>

export async function selectAspect(context: OperationContext, fields: Fields) {
  const id = fields.text('aspect_id')
  const by = id === undefined ? { name: fields.required('aspect') } : { id }
  const entity = await selectEntity(context, fields, 'entity')
  return context.graph.selectAspect(context.write.db, entity, by)
}
