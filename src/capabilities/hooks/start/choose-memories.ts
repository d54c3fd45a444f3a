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
  const isBound = constraintTypes.has(memory.type) || memory.type === 'session_summary'
  return !isBound || memory.project === null || memory.project === project
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

type Limit = Pick<Budget, 'maxRows' | 'maxCharacters'>

/** Chooses predicted memories and then recent ones that fit. Each fact is chosen once. */
export function chooseMemories(
  { candidates, predicted }: Choice,
  facts: ShownFacts,
  { maxRows, maxCharacters, maxMemoryCharacters }: Budget,
): readonly ScoredMemory[] {
  const chosen = new Map<string, ScoredMemory>()
  let left = maxCharacters
  const choose = (rows: readonly ScoredMemory[], limit: Limit) => {
    const minLeft = Math.max(0, left - limit.maxCharacters)
    for (const row of rows) {
      if (chosen.size >= limit.maxRows) return
      const { id, content } = row.memory
      const size = sizeOf(row, maxMemoryCharacters)
      if (chosen.has(id) || left - size < minLeft || facts.repeats(content)) continue
      facts.add(limitText(content, maxMemoryCharacters))
      chosen.set(id, row)
      left -= size
    }
  }
  choose(predicted, {
    maxRows: Math.min(maxPredicted, Math.ceil(maxRows / 2)),
    maxCharacters: Math.floor(predictedShare * maxCharacters),
  })
  choose(candidates, { maxRows, maxCharacters: left })
  return [...chosen.values()]
}

/** The longer of the two forms in which a reply contains a memory. */
function sizeOf({ memory }: ScoredMemory, maxMemoryCharacters: number): number {
  const returned = Math.min(memory.content.length, maxMemoryCharacters)
  return Math.max(toMemoryLine(memory).length + 1, returned)
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
