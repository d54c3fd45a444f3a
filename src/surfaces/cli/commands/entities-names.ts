import { type Call, command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import { findEntity, fold, listAliases, showChange } from '../graph-changes.ts'
import { type Row, toRows } from '../render.ts'

export const addAlias = command({
  usage: 'entities alias <name> <alias>',
  summary: 'Add another name of an entity',
  examples: ['reverie entities alias Atlas "the big map"'],
  run: async ({ args: [name = '', alias], output, connect }) => {
    const client = await connect()
    const { id, name: known } = await findEntity(client, name)
    const route = 'POST /api/ontology/entities/:id/aliases'
    const reply = Object(await client.call(route, { path: { id }, body: { alias } })) as Row
    showChange(output, reply, `${alias} is a name of ${known}`)
  },
})

export const removeAlias = command({
  usage: 'entities unalias <name> <alias>',
  summary: 'Remove an alias of an entity',
  examples: ['reverie entities unalias Atlas "the big map"'],
  run: async ({ args: [name = '', alias = ''], output, connect }) => {
    const client = await connect()
    const { id, name: known } = await findEntity(client, name)
    const aliases = await listAliases(client, id)
    const row = aliases.find((one) => fold(one['alias']) === fold(alias))
    if (!row) {
      const names = aliases.map((one) => one['alias']).join(', ') || 'none'
      const hint = `Its aliases: ${names}`
      throw new CliError('not_found', 'not_found', `${known} has no alias ${alias}`, hint)
    }
    const path = { id, aliasId: row['id'] }
    const route = 'DELETE /api/ontology/entities/:id/aliases/:aliasId'
    showChange(output, Object(await client.call(route, { path })), `Removed the alias ${alias}`)
  },
})

async function setPin({ args: [name = ''], output, connect }: Call, pinned: boolean) {
  const client = await connect()
  const { id, name: known } = await findEntity(client, name)
  const route = `${pinned ? 'POST' : 'DELETE'} /api/knowledge/entities/:id/pin`
  const reply = Object(await client.call(route, { path: { id } })) as Row
  showChange(output, reply, `${known} is ${pinned ? 'pinned' : 'not pinned'}`)
}

export const pinEntity = command({
  usage: 'entities pin <name>',
  summary: 'Pin an entity: it is listed first and resists merges and archiving',
  examples: ['reverie entities pin Atlas'],
  run: (call) => setPin(call, true),
})

export const unpinEntity = command({
  usage: 'entities unpin <name>',
  summary: 'Unpin an entity',
  examples: ['reverie entities unpin Atlas'],
  run: (call) => setPin(call, false),
})

interface SplitOptions {
  readonly into: string
  readonly aspect: readonly string[]
  readonly type?: string
}

export const splitEntity = command<SplitOptions>({
  usage: 'entities split <name>',
  summary: 'Move aspects of an entity to a new entity',
  options: [
    option('--into <name>', 'name of the new entity', { isRequired: true }),
    option('--aspect <name>', 'an aspect to move; repeatable', { type: 'list', isRequired: true }),
    option('--type <type>', 'type of the new entity'),
  ],
  examples: ['reverie entities split Atlas --into "Atlas Library" --aspect runtime'],
  run: async ({ args: [name = ''], options, output, connect }) => {
    const client = await connect()
    const { id, name: known } = await findEntity(client, name)
    const route = 'GET /api/knowledge/entities/:id/aspects'
    const { items } = Object(await client.call(route, { path: { id } }))
    const aspects = toRows(items).map(({ aspect }) => Object(aspect) as Row)
    const aspectIds = options.aspect.map((name) => {
      const row = aspects.find((one) => fold(one['name']) === fold(name))
      if (row) return row['id']
      const names = aspects.map((one) => one['name']).join(', ') || 'none'
      const hint = `Its aspects: ${names}`
      throw new CliError('not_found', 'not_found', `${known} has no aspect ${name}`, hint)
    })
    const body = { name: options.into, entity_type: options.type, aspect_ids: aspectIds }
    const reply = await client.call('POST /api/ontology/entities/:id/split', { path: { id }, body })
    const moved = `${aspectIds.length} ${aspectIds.length === 1 ? 'aspect' : 'aspects'}`
    showChange(output, Object(reply), `Moved ${moved} of ${known} to ${options.into}`)
  },
})
