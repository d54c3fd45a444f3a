import { type Block, readBlocks } from './blocks.ts'
import { createLocator, type Place } from './locate.ts'
import { createSlugs, toSlug } from './slug.ts'
import { type Part, splitBlock } from './split.ts'
import { weigh } from './weight.ts'

/** Bounds in characters; characters of scripts without spaces count twice. */
export interface ChunkBounds {
  /** Blocks are joined up to this length. */
  readonly target: number
  readonly max: number
  /** A shorter section joins its successor. */
  readonly min: number
  /** What a part of a long paragraph repeats of the part before it. */
  readonly overlap: number
  /** Maximum number of chunks of a text. */
  readonly maxChunks: number
  /** Leaves the front matter of a note out. */
  readonly skipsFrontMatter?: boolean
}

export interface TextChunk extends Place {
  readonly text: string
  /** The path of headings; empty before the first heading. */
  readonly headings: readonly string[]
  /** Identifies the section in the text. */
  readonly slug: string
  /** From 1, within the section. With the slug it identifies the chunk. */
  readonly number: number
}

export interface ChunkedText {
  readonly chunks: readonly TextChunk[]
  /** The text has more than `maxChunks` chunks. */
  readonly truncated: boolean
}

/** A text for the converter process. */
export interface ChunkTask {
  readonly text: string
  readonly bounds: ChunkBounds
}

/** Chunk bounds of notes and of sources. */
export const noteBounds: ChunkBounds = {
  target: 1600,
  max: 2200,
  min: 40,
  overlap: 0,
  maxChunks: 5_000,
  skipsFrontMatter: true,
}

interface Section {
  readonly headings: readonly string[]
  slug: string | undefined
  chunks: number
}

interface OpenChunk extends Part {
  readonly weight: number
}

/**
 * Divides a text into chunks: one if it fits, else by headings and blocks. Linear in the length of
 * the text. An edit of one section changes no id and no text of the chunks of other sections.
 */
export function chunkText(text: string, bounds: ChunkBounds): ChunkedText {
  const writer = createWriter(text, bounds)
  const fits = text.length <= bounds.target && weigh(text, 0, text.length) <= bounds.target
  const path = createHeadingPath()
  let isFirst = true
  for (const block of readBlocks(text)) {
    if (writer.isFull()) break
    if (block.kind === 'front_matter' && bounds.skipsFrontMatter) continue
    const opensSection = block.kind === 'heading' && (isFirst || !fits)
    if (opensSection) writer.openSection(path.enter(block))
    isFirst = false
    writer.add(block)
  }
  return writer.finish()
}

function createHeadingPath() {
  const open: Block[] = []
  return {
    enter: (heading: Block): readonly string[] => {
      while ((open.at(-1)?.level ?? 0) >= (heading.level ?? 1)) open.pop()
      open.push(heading)
      return open.map(({ title = '' }) => title).filter((title) => title !== '')
    },
  }
}

function createWriter(text: string, bounds: ChunkBounds) {
  const chunks: TextChunk[] = []
  const locate = createLocator(text)
  const takeSlug = createSlugs()
  let section: Section = { headings: [], slug: undefined, chunks: 0 }
  let open: OpenChunk | undefined

  const save = ({ start, end, prefix }: Part) => {
    const words = text
      .slice(start, end)
      .replace(/^\s*\n/, '')
      .trimEnd()
    if (words.trim() === '') return
    section.slug ??= takeSlug(toSlug(section.headings))
    const { headings, slug } = section
    const number = ++section.chunks
    chunks.push({ text: prefix + words, headings, slug, number, ...locate(start, end) })
  }
  const close = () => {
    if (open) save(open)
    open = undefined
  }
  const divide = (start: number, block: Block) => {
    let last: Part | undefined
    for (const part of splitBlock(text, { start, block }, bounds)) {
      if (last) save(last)
      if (chunks.length > bounds.maxChunks) return
      last = part
    }
    open = last && { ...last, weight: last.prefix.length + weigh(text, last.start, last.end) }
  }
  /** Adds the block to the open chunk; false after closing the chunk. */
  const extend = (current: OpenChunk, block: Block): boolean => {
    const isShort = current.weight < bounds.min
    const joined = join(text, current, block)
    if (joined.weight <= (isShort ? bounds.max : bounds.target)) {
      open = joined
      return true
    }
    // A short beginning, such as a heading, is the start of the divided block.
    if (isShort && current.prefix === '') divide(current.start, block)
    else close()
    return isShort && current.prefix === ''
  }
  return {
    isFull: () => chunks.length > bounds.maxChunks,
    /** A short section that has no chunk yet joins this one. */
    openSection: (headings: readonly string[]) => {
      if (open && (open.weight >= bounds.min || section.chunks > 0)) close()
      section = { headings, slug: undefined, chunks: 0 }
    },
    add: (block: Block) => {
      if (open && extend(open, block)) return
      const weight = weigh(text, block.start, block.end)
      if (weight <= bounds.max) open = { start: block.start, end: block.end, prefix: '', weight }
      else divide(block.start, block)
    },
    finish: (): ChunkedText => {
      close()
      const truncated = chunks.length > bounds.maxChunks
      return { chunks: truncated ? chunks.slice(0, bounds.maxChunks) : chunks, truncated }
    },
  }
}

function join(text: string, open: OpenChunk, { end }: Block): OpenChunk {
  return { ...open, end, weight: open.weight + weigh(text, open.end, end) }
}
