import type { CompiledFrame, Pattern } from './frames.ts'

interface Entry {
  readonly frame: CompiledFrame
  readonly pattern: Pattern
}

/** The patterns of a language by the words that a sentence must have. */
export interface FrameIndex {
  /** In the order in which they are tried. */
  readonly entries: readonly Entry[]
  /** Positions in `entries` by the word of one required group. */
  readonly byWord: ReadonlyMap<string, readonly number[]>
  /** Positions of the patterns that require no word. */
  readonly always: readonly number[]
}

/** Each pattern is found by its rarest required group. */
export function indexFrames(frames: readonly CompiledFrame[]): FrameIndex {
  const entries = frames.flatMap((frame) => frame.patterns.map((pattern) => ({ frame, pattern })))
  const counts = new Map<string, number>()
  for (const { pattern } of entries)
    for (const word of pattern.required.flat()) counts.set(word, (counts.get(word) ?? 0) + 1)
  const costOf = (group: readonly string[]) =>
    group.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0)
  const byWord = new Map<string, number[]>()
  const always: number[] = []
  for (const [position, { pattern }] of entries.entries()) {
    const [rarest] = pattern.required.toSorted((a, b) => costOf(a) - costOf(b))
    if (!rarest) always.push(position)
    for (const word of new Set(rarest)) byWord.set(word, [...(byWord.get(word) ?? []), position])
  }
  return { entries, byWord, always }
}

/** The frames with the patterns of which a sentence has all required words. */
export function selectFrames(
  { entries, byWord, always }: FrameIndex,
  words: ReadonlySet<string>,
): CompiledFrame[] {
  const positions = new Set(always)
  for (const word of words) for (const position of byWord.get(word) ?? []) positions.add(position)
  const selected: { frame: CompiledFrame; patterns: Pattern[] }[] = []
  for (const position of [...positions].toSorted((a, b) => a - b)) {
    const entry = entries[position]
    if (!entry?.pattern.required.every((group) => group.some((word) => words.has(word)))) continue
    const last = selected.at(-1)
    if (last?.frame === entry.frame) last.patterns.push(entry.pattern)
    else selected.push({ frame: entry.frame, patterns: [entry.pattern] })
  }
  return selected.map(({ frame, patterns }) => ({ ...frame, patterns }))
}
