import type { z } from 'zod'
import type { describeTool } from './describe-tool.ts'

type ListedTool = ReturnType<typeof describeTool>

/** One sentence that names each argument that does not fit and what is accepted, so that a model corrects itself. */
export function explainArguments(
  { name, inputSchema }: ListedTool,
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
): string {
  const wrong = new Set(issues.map(({ path: [argument = 'the arguments'] }) => String(argument)))
  const faults = [...wrong].map((argument) => {
    const schema: unknown = inputSchema.properties[argument]
    const { description } = Object(schema)
    const missing = Object(input)[argument] === undefined ? 'is required and ' : ''
    const meaning = description === undefined ? '' : ` (${description})`
    return `${argument} ${missing}must be ${toAccepted(schema)}${meaning}`
  })
  return `${name} was not called: ${faults.join('; ')}.`
}

function toAccepted(schema: unknown): string {
  const { type, enum: words, anyOf, items, minLength } = Object(schema)
  if (Array.isArray(words)) return `one of ${words.join(', ')}`
  if (Array.isArray(anyOf)) return anyOf.map(toAccepted).join(' or ')
  if (type === 'array') return `a list whose items are each ${toAccepted(items)}`
  if (type === 'object' || type === undefined) return 'an object'
  return minLength ? `a ${type} that is not empty` : `a ${type}`
}
