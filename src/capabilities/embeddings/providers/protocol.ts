import { z } from 'zod'

/** How one sort of server is asked. */
export interface Protocol {
  readonly provider: string
  readonly model: string
  readonly baseUrl: string
  /** After the base address. */
  readonly path: string
  write(asked: Asked): unknown
  /** One list of numbers for each text, in their order; undefined for what is nothing of the kind. */
  read(answered: unknown): readonly number[][] | undefined
}

interface Asked {
  readonly model: string
  readonly texts: readonly string[]
  readonly dims: number | undefined
}

const numbers = z.array(z.number())

const ollamaReply = z.object({ embeddings: z.array(numbers) })

const openaiReply = z.object({
  data: z.array(z.object({ index: z.int(), embedding: numbers })),
})

/** Newer servers answer a list of lists, of which the first is the whole text. */
const llamaReply = z.array(
  z.object({ index: z.int(), embedding: z.union([numbers, z.array(numbers).length(1)]) }),
)

export const protocols: Readonly<Record<'ollama' | 'llama-cpp' | 'openai', Protocol>> = {
  ollama: {
    ...{ provider: 'ollama', model: 'nomic-embed-text', baseUrl: 'http://127.0.0.1:11434' },
    path: '/api/embed',
    write: ({ model, texts }) => ({ model, input: texts, truncate: true }),
    read: (answered) => ollamaReply.safeParse(answered).data?.embeddings,
  },
  'llama-cpp': {
    ...{ provider: 'llama-cpp', model: 'loaded', baseUrl: 'http://127.0.0.1:8080' },
    path: '/embedding',
    write: ({ texts }) => ({ content: texts }),
    read: (answered) =>
      inOrder(llamaReply.safeParse(answered).data)?.map(({ embedding }) => firstList(embedding)),
  },
  openai: {
    ...{ provider: 'openai', model: 'text-embedding-3-small' },
    ...{ baseUrl: 'https://api.openai.com/v1', path: '/embeddings' },
    write: ({ model, texts, dims }) => ({
      ...{ model, input: texts, encoding_format: 'float' },
      ...(dims !== undefined && { dimensions: dims }),
    }),
    read: (answered) =>
      inOrder(openaiReply.safeParse(answered).data?.data)?.map(({ embedding }) => embedding),
  },
}

function inOrder<Item extends { readonly index: number }>(
  items: readonly Item[] | undefined,
): Item[] | undefined {
  return items?.toSorted((one, other) => one.index - other.index)
}

function firstList(embedding: number[] | number[][]): number[] {
  const [first] = embedding
  return Array.isArray(first) ? first : (embedding as number[])
}
