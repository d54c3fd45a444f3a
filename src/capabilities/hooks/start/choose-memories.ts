import { limitText, maxConstraintsLength, toConstraintLine, toMemoryLine } from '../render.ts'
import type { ScoredMemory } from './select-memories.ts'
import type { ShownFacts } from './shown-facts.ts'

/** Rendered in a separate section. */
const constraintTypes = new Set(['constraint', 'rule'])

export function isConstraint({ memory: { type } }: ScoredMemory): boolean {
  return constraintTypes.has(type)
}

/** Whether the memory concerns the project. Rules and summaries of other projects do not. */
export function isOfProject({ memory }: ScoredMemory, project: string | null): boolean {
  const isProjectBound = constraintTypes.has(memory.type) || memory.type === 'session_summary'
  return !isProjectBound || memory.project === null || memory.project === project
}

const maxPredicted = 10
/** The predicted part of the budget. */
const predictedShare = 0.6

export interface Budget {
  /** Memories in total. */
  readonly maxRows: number
  /** Characters of all memories, as rendered and as returned. */
  readonly maxCharacters: number
  /** Characters of one returned memory. */
  readonly maxMemoryCharacters: number
}

interface Choice {
  readonly candidates: readonly ScoredMemory[]
  /** The best first. */
  readonly predicted: readonly ScoredMemory[]
}

/** Chooses predicted memories and then recent ones that fit. Each fact is chosen once. */
export function chooseMemories(
  { candidates, predicted }: Choice,
  facts: ShownFacts,
  { maxRows, maxCharacters, maxMemoryCharacters }: Budget,
): readonly ScoredMemory[] {
  const chosen = new Map<string, ScoredMemory>()
  let used = 0
  const choose = (rows: readonly ScoredMemory[], limit: Limit) => {
    for (const row of rows) {
      if (chosen.size >= limit.maxRows) return
      const { id, content } = row.memory
      if (chosen.has(id)) continue
      const size = measureFit(row, limit.maxCharacters - used, maxMemoryCharacters)
      if (size === undefined || facts.repeats(content)) continue
      facts.add(limitText(content, maxMemoryCharacters))
      chosen.set(id, row)
      used += size
    }
  }
  choose(predicted, {
    maxRows: Math.min(maxPredicted, Math.ceil(maxRows / 2)),
    maxCharacters: Math.floor(predictedShare * maxCharacters),
  })
  choose(candidates, { maxRows, maxCharacters })
  return [...chosen.values()]
}

type Limit = Pick<Budget, 'maxRows' | 'maxCharacters'>

/** The longer of the returned and the rendered form. Undefined if it exceeds `left`. */
function measureFit(
  { memory }: ScoredMemory,
  left: number,
  maxMemoryCharacters: number,
): number | undefined {
  const length = Math.min(memory.content.length, maxMemoryCharacters)
  // Rendering is slow, so it is left to rows that may fit.
  const size = length > left ? length : Math.max(length, toMemoryLine(memory).length + 1)
  return size > left ? undefined : size
}

interface ConstraintChoice {
  readonly text: string
  /** The memories in the text. */
  readonly rows: readonly ScoredMemory[]
}

/** The section of active constraints. Repeated constraints and those that do not fit are omitted. */
export function chooseConstraints(
  constraints: readonly string[],
  candidates: readonly ScoredMemory[],
  facts: ShownFacts,
): ConstraintChoice {
  const rows: ScoredMemory[] = []
  let text = '## Active Constraints\n'
  const add = (content: string) => {
    const line = `\n${toConstraintLine(content)}`
    if (text.length + line.length > maxConstraintsLength || facts.repeats(content)) return false
    facts.add(content)
    text += line
    return true
  }
  for (const constraint of constraints) add(constraint)
  for (const row of candidates) if (add(row.memory.content)) rows.push(row)
  return { text: text.includes('\n- ') ? text : '', rows }
}
