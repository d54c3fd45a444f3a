import { z } from 'zod'

/** What a model answers in one turn. */
export interface Turn {
  readonly calls: readonly ToolRequest[]
  /** Nothing is left to do in this part of the evidence. */
  readonly done: boolean
  readonly note: string | undefined
}

export interface ToolRequest {
  readonly tool: string
  readonly input: unknown
}

/** Tool calls of one turn. */
export const maxCallsPerTurn = 12

/** Strict providers refuse open objects: the input of a tool is JSON text. */
export const turnSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['calls', 'done', 'note'],
  properties: {
    calls: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['tool', 'input'],
        properties: { tool: { type: 'string' }, input: { type: 'string' } },
      },
    },
    done: { type: 'boolean' },
    note: { type: ['string', 'null'] },
  },
} as const

const turn = z.object({
  calls: z
    .array(z.object({ tool: z.string().max(100), input: z.unknown() }))
    .max(maxCallsPerTurn)
    .default([]),
  done: z.boolean().default(false),
  note: z.string().nullish(),
})

/** Undefined where the reply has another shape. */
export function parseTurn(object: unknown): Turn | undefined {
  const { data } = turn.safeParse(object)
  if (!data || (data.calls.length === 0 && !data.done)) return undefined
  return {
    calls: data.calls.map(({ tool, input }) => ({ tool, input: parseInput(input) })),
    done: data.done,
    note: data.note ?? undefined,
  }
}

function parseInput(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {}
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
