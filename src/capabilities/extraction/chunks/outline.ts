import { sliceText } from '../../../kernel/redaction/slice-text.ts'
import { type Block, readBlocks } from './blocks.ts'

/** A heading with the statements below it. */
export interface OutlineSection {
  /** Empty before the first heading. */
  readonly heading: string
  /** Level 1 to 6 of the heading; 0 before the first one. */
  readonly level: number
  /** Paragraphs, list items and quotes, in one line each. */
  readonly statements: readonly string[]
}

/** Bounds of what a text states. */
const minLength = 20
const maxLength = 2_000
const maxStatements = 12
const maxSections = 200

/** Reads the sections of a text in one pass. Fences, tables and front matter state nothing. */
export function outlineText(text: string): OutlineSection[] {
  const sections = [openSection('', 0)]
  for (const block of readBlocks(text)) {
    if (block.kind === 'heading') {
      if (sections.length > maxSections) break
      sections.push(openSection(block.title ?? '', block.level ?? 1))
    } else if (isProse(block)) addStatement(sections.at(-1), toStatement(text, block))
  }
  return sections.filter(({ level, statements }) => level > 0 || statements.length > 0)
}

interface OpenSection extends OutlineSection {
  readonly statements: string[]
}

function openSection(heading: string, level: number): OpenSection {
  return { heading, level, statements: [] }
}

function addStatement(section: OpenSection | undefined, statement: string): void {
  if (section && section.statements.length < maxStatements && statement.length >= minLength)
    section.statements.push(statement)
}

function isProse({ kind }: Block): boolean {
  return kind === 'paragraph' || kind === 'list_item' || kind === 'quote'
}

function toStatement(text: string, { start, end }: Block): string {
  return sliceText(
    text
      .slice(start, Math.min(end, start + 2 * maxLength))
      .replace(/^\s*(?:[-*+]|\d{1,9}[.)]|>)\s+/, '')
      .replaceAll(/\s+/g, ' '),
    0,
    maxLength,
  ).trim()
}
