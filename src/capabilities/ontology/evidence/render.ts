import { toCleanText } from '../../../kernel/redaction/clean-text.ts'

export interface Structured {
  readonly entities: readonly StructuredEntity[]
  readonly aspects: readonly StructuredAspect[]
}

interface StructuredEntity {
  readonly source: string
  readonly sourceType?: string | undefined
  readonly relationship: string
  readonly target: string
  readonly targetType?: string | undefined
  readonly confidence?: number | undefined
}

interface StructuredAspect {
  readonly entityName: string
  readonly entityType?: string | undefined
  readonly aspect: string
  readonly attributes: readonly StructuredAttribute[]
}

interface StructuredAttribute {
  readonly groupKey?: string | undefined
  readonly claimKey?: string | undefined
  readonly content: string
  readonly confidence?: number | undefined
  readonly importance?: number | undefined
}

/** The text of a memory with its structured payload, as quotes must match it. */
export function renderMemory(
  content: string,
  evidence: Readonly<Record<string, unknown>> | null,
): string {
  const { entities, aspects } = readStructured(evidence)
  const parts = [
    ...(entities.length > 0 ? ['structured_entities:', ...entities.map(renderEntity)] : []),
    ...(aspects.length > 0 ? ['structured_aspects:', ...aspects.flatMap(renderAspect)] : []),
  ]
  const text = parts.length === 0 ? content : [content, 'structured_evidence:', ...parts].join('\n')
  return toCleanText(text)
}

export function renderEntity({ source, relationship, target }: StructuredEntity): string {
  return `- ${oneLine(source)} [${oneLine(relationship)}] ${oneLine(target)}`
}

function renderAspect(aspect: StructuredAspect): string[] {
  const lines = aspect.attributes.map((attribute) => renderAttribute(aspect, attribute))
  return lines.length > 0 ? lines : [`- ${oneLine(aspect.entityName)}/${oneLine(aspect.aspect)}`]
}

export function renderAttribute(
  { entityName, aspect }: StructuredAspect,
  { claimKey, content }: StructuredAttribute,
): string {
  const key = claimKey === undefined ? '' : `${oneLine(claimKey)}: `
  return `- ${oneLine(entityName)}/${oneLine(aspect)}: ${key}${oneLine(content)}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** The readable parts of the payload that came with a memory. */
export function readStructured(evidence: Readonly<Record<string, unknown>> | null): Structured {
  const structured = Object(evidence?.['structured'])
  return {
    entities: toList(structured['entities']).flatMap((one) => (isEntity(one) ? [one] : [])),
    aspects: toList(structured['aspects']).flatMap(toAspect),
  }
}

function toList(input: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(input) ? input.filter((one) => typeof one === 'object' && one !== null) : []
}

function isEntity(input: object): input is StructuredEntity & object {
  return hasTexts(input, 'source', 'relationship', 'target')
}

function toAspect(input: object): StructuredAspect[] {
  if (!hasTexts(input, 'entityName', 'aspect')) return []
  const aspect = input as StructuredAspect
  const attributes = toList(aspect.attributes).filter((one) => hasTexts(one, 'content'))
  return [{ ...aspect, attributes: attributes as unknown as StructuredAttribute[] }]
}

function hasTexts(input: object, ...names: readonly string[]): boolean {
  const fields: Readonly<Record<string, unknown>> = { ...input }
  return names.every((name) => {
    const value = fields[name]
    return typeof value === 'string' && value.trim() !== ''
  })
}
