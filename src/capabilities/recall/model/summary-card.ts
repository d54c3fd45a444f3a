import { hash } from 'node:crypto'
import type { Caller } from '../../../kernel/auth/caller.ts'
import { neutralize } from '../../../kernel/redaction/neutralize.ts'
import { sliceText } from '../../../kernel/redaction/slice-text.ts'
import { fenceQuestion, selectEvidence } from '../aggregate/evidence.ts'
import { dataNotice } from '../aggregate/model-steps.ts'
import type { RecallNeeds } from '../needs.ts'
import type { Candidate } from '../result.ts'
import type { RecallRequest } from '../schemas.ts'

type CardNeeds = Pick<RecallNeeds, 'log' | 'modelConfig' | 'models'>

export interface SummaryRequest {
  readonly request: Pick<RecallRequest, 'aggregate' | 'limit' | 'query' | 'signal'>
  /** The rows of the answer. */
  readonly shown: readonly Candidate[]
}

const minRows = 2
const maxTextLength = 900
const maxCached = 256
const scoreStep = 0.9
const operation = 'session_synthesis'
const instruction = `You summarize texts of a memory store for a question in at most three sentences. ${dataNotice}
Use only the texts. Answer in the language of the question, without a preamble.`

export type SummaryCards = ReturnType<typeof createSummaryCards>

/** Summaries by a model, cached by question and texts. */
export function createSummaryCards(needs: CardNeeds) {
  const cache = new Map<string, string>()
  return {
    /** A summary of the shown rows; none without a model, without room or when it is late. */
    create: async (
      { agentId }: Pick<Caller, 'agentId'>,
      summary: SummaryRequest,
    ): Promise<readonly Candidate[]> => {
      const { request, shown } = summary
      const { aggregate, limit, query } = request
      const hasRoom = shown.length >= minRows && shown.length < limit
      if (!needs.modelConfig().summaryCard.enabled || aggregate || !hasRoom) return []
      const key = hashOf([agentId, query, ...shown.flatMap(({ row }) => [row.id, row.content])])
      const text = cache.get(key) ?? (await summarize(needs, agentId, summary))
      if (text === undefined) return []
      cache.set(key, text)
      const [oldest] = cache.keys()
      if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
      return [toCard(shown, text)]
    },
  }
}

async function summarize(
  { log, modelConfig, models }: CardNeeds,
  agentId: string,
  { request: { query, signal = new AbortController().signal }, shown }: SummaryRequest,
): Promise<string | undefined> {
  if (!models.isReady(operation, agentId)) return undefined
  try {
    const evidence = selectEvidence([shown], { memoriesOnly: false })
    const { text } = await models.run({
      operation,
      agentId,
      messages: [
        { role: 'system', content: instruction },
        {
          role: 'user',
          content: [...evidence.map(({ text }) => text), fenceQuestion(query)].join('\n'),
        },
      ],
      maxTokens: 200,
      timeoutMs: modelConfig().summaryCard.timeoutMs,
      signal,
    })
    const clean = sliceText(neutralize(text).trim(), 0, maxTextLength)
    return clean === '' ? undefined : clean
  } catch (error) {
    signal.throwIfAborted()
    log.warn({ err: error }, 'summary card failed')
    return undefined
  }
}

function toCard(shown: readonly Candidate[], content: string): Candidate {
  const ids = shown.map(({ row }) => row.id).toSorted()
  const lowest = Math.min(...shown.map(({ row }) => row.score))
  const newest = shown.map(({ row }) => row.created_at).toSorted()
  return {
    memory: undefined,
    row: {
      id: `summary:${hashOf(ids).slice(0, 12)}`,
      content,
      content_length: content.length,
      truncated: false,
      score: scoreStep * lowest,
      source: 'llm_summary',
      type: 'summary',
      who: '',
      tags: null,
      pinned: false,
      importance: 0,
      project: null,
      created_at: newest.at(-1) ?? '',
      supplementary: true,
    },
  }
}

function hashOf(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts))
}
