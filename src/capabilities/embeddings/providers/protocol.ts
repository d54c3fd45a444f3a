import { z } from 'zod'

/** Request and reply format of one kind of server. */
export interface Protocol {
  readonly provider: string
  readonly model: string
  readonly baseUrl: string
  /** Appended to the base URL. */
  readonly path: string
  write(request: ProtocolRequest): unknown
  /** Returns one vector for each text, in order; undefined for an unknown reply format. */
  read(body: unknown): readonly number[][] | undefined
  /** The tokens that the server has counted; undefined where it counts none. */
  readTokens?(body: unknown): number | undefined
}

interface ProtocolRequest {
  readonly model: string
  readonly texts: readonly string[]
  readonly dims: number | undefined
}

const numbers = z.array(z.number())

const ollamaReply = z.object({ embeddings: z.array(numbers) })
const ollamaUsage = z.object({ prompt_eval_count: z.int().min(0) })
const openaiUsage = z.object({ usage: z.object({ prompt_tokens: z.int().min(0) }) })

const openaiReply = z.object({
  data: z.array(z.object({ index: z.int(), embedding: numbers })),
})

/** Newer servers return a list of lists; the first list is the whole text. */
const llamaReply = z.array(
  z.object({ index: z.int(), embedding: z.union([numbers, z.array(numbers).length(1)]) }),
)

export const protocols: Readonly<Record<'ollama' | 'llama-cpp' | 'openai', Protocol>> = {
  ollama: {
    provider: 'ollama',
    model: 'nomic-embed-text',
    baseUrl: 'http://127.0.0.1:11434',
    path: '/api/embed',
    write: ({ model, texts }) => ({ model, input: texts, truncate: true }),
    read: (body) => ollamaReply.safeParse(body).data?.embeddings,
    readTokens: (body) => ollamaUsage.safeParse(body).data?.prompt_eval_count,
  },
  'llama-cpp': {
    provider: 'llama-cpp',
    model: 'loaded',
    baseUrl: 'http://127.0.0.1:8080',
    path: '/embedding',
    write: ({ texts }) => ({ content: texts }),
    read: (body) =>
      inOrder(llamaReply.safeParse(body).data)?.map(({ embedding }) => firstList(embedding)),
  },
  openai: {
    provider: 'openai',
    model: 'text-embedding-3-small',
    baseUrl: 'https://api.openai.com/v1',
    path: '/embeddings',
    write: ({ model, texts, dims }) => ({
      model,
      input: texts,
      encoding_format: 'float',
      ...(dims !== undefined && { dimensions: dims }),
    }),
    read: (body) =>
      inOrder(openaiReply.safeParse(body).data?.data)?.map(({ embedding }) => embedding),
    readTokens: (body) => openaiUsage.safeParse(body).data?.usage.prompt_tokens,
  },
}

function inOrder<Item extends { readonly index: number }>(
  items: readonly Item[] | undefined,
): Item[] | undefined {
  return items?.toSorted((a, b) => a.index - b.index)
}

function firstList(embedding: number[] | number[][]): number[] {
  const [first] = embedding
  return Array.isArray(first) ? first : (embedding as number[])
}

/** Text prefixes that a model was trained with. */
export interface PromptFormat {
  /** Part of the identity of a model. */
  readonly name: string
  readonly document: string
  readonly query: string
}

export const promptFormats: Readonly<Record<'plain' | 'nomic' | 'e5', PromptFormat>> = {
  plain: { name: 'plain', document: '', query: '' },
  nomic: { name: 'nomic', document: 'search_document: ', query: 'search_query: ' },
  e5: { name: 'e5', document: 'passage: ', query: 'query: ' },
}

export function findPromptFormat(model: string): PromptFormat {
  const name = model.toLowerCase()
  if (name.includes('nomic-embed')) return promptFormats.nomic
  return /(^|[^a-z])e5-/.test(name) ? promptFormats.e5 : promptFormats.plain
}
