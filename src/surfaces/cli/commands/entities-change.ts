import { command, option } from '../command.ts'
import { CliError } from '../failure.ts'
import {
  applyChange,
  type DryRunOptions,
  dryRun,
  type EvidenceOptions,
  evidenceOptions,
  readEvidence,
} from '../graph-changes.ts'
import { type ReasonOptions, requireReason } from '../prompts.ts'
import { reason } from './memory-options.ts'

interface SetOptions extends DryRunOptions, EvidenceOptions {
  readonly group?: string
  readonly add?: boolean
}

export const setClaim = command<SetOptions>({
  usage: 'entities set <name> <aspect> <key> <value>',
  summary: 'Set the value of a claim; creates the entity and the aspect',
  options: [
    option('--group <name>', 'group of the claim; default general'),
    option('--add', 'add a value next to the active ones instead of replacing them'),
    ...evidenceOptions,
    dryRun,
  ],
  examples: [
    'reverie entities set Atlas runtime language Rust',
    'reverie entities set Atlas team member Maud --add --quote "Maud joined Atlas"',
    'reverie entities set Atlas runtime language Rust --memory 0195f3a0',
  ],
  run: async (call) => {
    const { args, options } = call
    const [name = '', aspect, key, value] = args
    const { group, add } = options
    const payload = { entity: name, aspect, group_key: group, claim_key: key, value }
    const operation = add ? 'add_claim_value' : 'set_claim_value'
    const change = { operation, payload, evidence: await readEvidence(call) }
    await applyChange(call, { ...change, name }, add ? 'Added the value' : 'Set the value')
  },
})

interface LinkOptions extends DryRunOptions {
  readonly reason?: string
  readonly strength?: number
}

export const linkEntities = command<LinkOptions>({
  usage: 'entities link <name> <type> <target>',
  summary: 'Link an entity to another one',
  options: [
    option(
      '--reason <text>',
      'why they are linked; related_to, contradicts and supersedes need it',
    ),
    option('--strength <n>', 'strength of the link, 0 to 1', { type: 'share' }),
    dryRun,
  ],
  examples: [
    'reverie entities link Atlas depends_on PostgreSQL',
    'reverie entities link Atlas related_to Borealis --reason "both are of the same team"',
  ],
  run: async (call) => {
    const { args, options } = call
    const [name = '', type, target = ''] = args
    const { reason, strength } = options
    const payload = {
      source_entity: name,
      target_entity: target,
      link_type: type,
      reason,
      strength,
    }
    const change = { operation: 'create_link', payload, name: `${name} or ${target}` }
    await applyChange(call, change, 'Linked')
  },
})

export const renameEntity = command<DryRunOptions>({
  usage: 'entities rename <name> <new-name>',
  summary: 'Rename an entity',
  options: [dryRun],
  examples: ['reverie entities rename Atlas "Atlas Two"'],
  run: async (call) => {
    const [name = '', newName] = call.args
    const payload = { entity: name, new_name: newName }
    await applyChange(call, { operation: 'rename_entity', payload, name }, ({ result }) =>
      Object(result).previousName === Object(Object(result).entity).name
        ? `Nothing to change: ${newName} is already the name`
        : 'Renamed',
    )
  },
})

interface MergeOptions extends DryRunOptions {
  readonly force?: boolean
}

export const mergeEntities = command<MergeOptions>({
  usage: 'entities merge <target> <sources...>',
  summary: 'Merge entities into one; their names become aliases',
  options: [option('--force', 'merge entities of different types, and pinned ones'), dryRun],
  examples: [
    'reverie entities merge "Node.js" "Node JS" --dry-run',
    'reverie entities merge "Node.js" "Node JS"',
  ],
  run: async (call) => {
    const [target = '', ...sources] = call.args
    if (sources.length === 0)
      throw new CliError(
        'usage',
        'usage',
        'pass the entities to merge',
        'reverie entities merge --help',
      )
    const payload = { target, sources, force: call.options.force }
    const name = [target, ...sources].join(' or ')
    await applyChange(call, { operation: 'merge_entities', payload, name }, ({ result }) =>
      [Object(result).mergedEntities].flat().length > 0
        ? `Merged into ${target}`
        : `Nothing to merge: ${sources.join(', ')} is already a name of ${target}`,
    )
  },
})

interface ArchiveOptions extends DryRunOptions, ReasonOptions {}

export const archiveEntity = command<ArchiveOptions>({
  usage: 'entities archive <name>',
  aliases: ['archive'],
  summary: 'Archive an entity with its claims and links',
  options: [reason, dryRun],
  examples: [
    'reverie entities archive Atlas --reason "the project ended" --dry-run',
    'reverie entities archive Atlas --reason "the project ended"',
  ],
  run: async (call) => {
    const [name = ''] = call.args
    const payload = { entity: name, reason: requireReason(call) }
    await applyChange(call, { operation: 'archive_entity', payload, name }, 'Archived')
  },
})
