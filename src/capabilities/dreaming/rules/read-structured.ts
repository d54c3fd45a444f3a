import { classifyName, toCanonicalKey, toCanonicalName } from '../../knowledge/index.ts'
import { isHostile } from './hostile.ts'
import { languages } from './language.ts'
import { maskText } from './mask.ts'
import { isPersonName } from './person-name.ts'
import type { EvidenceFragment, GraphNames, Statement, Subject } from './statement.ts'
import { maskCharacter } from './tokens.ts'

/** `- entity/aspect: key: value`, as the ontology renders a payload. */
const attribute = /^- ([^/\n]{1,200})\/([^:\n]{1,100}): ([^:\n]{1,100}): (.{1,300})$/u
const maxValue = 80
const confidence = 0.8
const projectTypes: ReadonlySet<string> = new Set(['project', 'system', 'product'])

/** What the structured payload of a memory states: names, lengths and the ledger are those of sentences. */
export function readStructured(
  { text, start, structuredStart, ...fragment }: EvidenceFragment,
  names: GraphNames,
): Statement[] {
  if (structuredStart === undefined || start + text.length <= structuredStart) return []
  const from = Math.max(0, structuredStart - start)
  const statements: Statement[] = []
  let at = from
  for (const line of text.slice(from).split('\n')) {
    const statement = readLine(line, names)
    if (statement)
      statements.push({
        ...statement,
        sourceKind: fragment.sourceKind,
        sourceId: fragment.sourceId,
        session: fragment.session,
        assertedAt: fragment.assertedAt,
        trust: fragment.trust,
        quote: line,
        start: start + at,
        length: line.length,
      })
    at += line.length + 1
  }
  return statements
}

function readLine(line: string, names: GraphNames) {
  const [, name = '', aspect = '', key = '', value = ''] = attribute.exec(line) ?? []
  const subject = findSubject(name.trim(), names)
  const isFit = value.trim() !== '' && value.length <= maxValue
  if (!subject || !isFit || isHostile(languages, line)) return undefined
  if (maskText(value).includes(maskCharacter)) return undefined
  return {
    subject,
    slot: {
      aspect: toCanonicalName(aspect),
      key: toCanonicalKey(key),
      cardinality: 'one' as const,
    },
    change: 'set' as const,
    value: value.trim(),
    from: undefined,
    ownWord: false,
    changeWord: true,
    rule: 'structured',
    confidence,
  }
}

/** An entity of the graph, a person by name, or a project that memories name. */
function findSubject(name: string, { entities, projects = [] }: GraphNames): Subject | undefined {
  const wanted = toCanonicalName(name)
  const isSame = (other: string) => toCanonicalName(other) === wanted
  const known = entities.filter((entity) => [entity.name, ...entity.aliases].some(isSame))
  const [entity] = known
  if (known.length > 1) return undefined
  if (entity) {
    const type = projectTypes.has(entity.type) ? 'project' : 'person'
    const isFit = type === 'project' || entity.type === 'person'
    return isFit ? { entityId: entity.id, name: entity.name, type } : undefined
  }
  if (isPersonName(name) && classifyName(name, 'person').ok) return { name, type: 'person' }
  const project = projects.find(isSame)
  return project !== undefined && classifyName(project, 'project').ok
    ? { name: project, type: 'project' }
    : undefined
}
