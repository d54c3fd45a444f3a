import type { Proposal } from '../../queries/knowledge.ts'

interface ProposedChange {
  readonly subject: string
  readonly path: readonly string[]
  readonly before?: string
  readonly after?: string
}

type Describe = (text: (name: string) => string) => { before?: string; after?: string }

const kinds: Readonly<Record<string, Describe>> = {
  create_entity: (text) => ({ after: joined(' · ', [text('name'), typeOf(text)]) }),
  rename_entity: (text) => ({
    before: text('entity'),
    after: text('new_name') || text('name'),
  }),
  merge_entities: (text) => ({ before: text('sources') || text('source'), after: text('target') }),
  rename_aspect: (text) => ({ before: text('aspect'), after: text('new_name') }),
  create_entity_alias: (text) => ({ after: text('alias') }),
  create_link: toLink,
  update_link: toLink,
}

/** What a proposal would change, in words where its kind is known, else its payload. */
export function describeProposal({ operation, payload }: Proposal): ProposedChange {
  const text = (name: string) => toText(payload[name])
  const described = kinds[operation]?.(text) ?? {}
  const { before = '', after = text('value') } = described
  const isKnown = before !== '' || after !== ''
  return {
    subject: text('entity') || text('name') || text('source_entity') || text('target'),
    path: [text('aspect'), text('group_key'), text('claim_key')].filter((part) => part !== ''),
    ...(before !== '' && { before }),
    ...(after !== '' && { after }),
    ...(!isKnown && { after: JSON.stringify(payload) }),
  }
}

function toLink(text: (name: string) => string) {
  const type = text('link_type').replaceAll('_', ' ')
  return { after: joined(' ', [text('source_entity'), type, text('target_entity')]) }
}

const typeOf = (text: (name: string) => string) => text('entity_type') || text('type')

const joined = (between: string, parts: readonly string[]) =>
  parts.filter((part) => part !== '').join(between)

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' ? value : ''
}
