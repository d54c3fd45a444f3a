import type { Db } from '../../../kernel/db/database.ts'
import type { ModelReply, ModelRequest } from '../../inference/index.ts'
import { dreamingKit } from '../dreaming.fixture.ts'

type Call = readonly [tool: string, input: unknown]
type Turn = { readonly calls?: readonly Call[]; readonly done?: boolean; readonly note?: string }
/** The replies of the model, in their order: turns, texts, errors, or functions that make a turn. The last one repeats. */
export type Script = readonly (Turn | string | Error | (() => Promise<Turn>))[]

const usage: ModelReply['usage'] = {
  inputTokens: 1_000,
  outputTokens: 100,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  totalCost: null,
  totalDurationMs: null,
}

interface Options {
  readonly usage?: Partial<ModelReply['usage']>
  /** USD of each call. */
  readonly price?: number
}

/** Dreaming with a model that follows a script. */
export function modelKit(db: Db, script: Script) {
  const requests: ModelRequest[] = []
  const state: { script: Script; options: Options } = { script, options: {} }
  const models = {
    isReady: () => true,
    estimateCost: () => state.options.price ?? 0,
    run: async (request: ModelRequest): Promise<ModelReply> => {
      request.signal.throwIfAborted()
      const next = state.script[Math.min(requests.length, state.script.length - 1)] ?? {
        done: true,
      }
      requests.push(request)
      const step = typeof next === 'function' ? await next() : next
      if (step instanceof Error) throw step
      const object = typeof step === 'string' ? undefined : toObject(step)
      const text = typeof step === 'string' ? step : JSON.stringify(object)
      return { text, object, usage: { ...usage, ...state.options.usage }, targetRef: 'fake/model' }
    },
  }
  const kit = dreamingKit(db, {}, { models })
  const prompt = () => requests.flatMap(({ messages }) => messages.map((one) => one.content))
  /** Another script from now on. */
  const follow = (next: Script) => {
    requests.length = 0
    state.script = next
  }
  const answer = (options: Options) => {
    state.options = options
  }
  return { ...kit, requests, prompt, follow, answer }
}

function toObject({ calls = [], done = false, note }: Turn) {
  return {
    calls: calls.map(([tool, input]) => ({ tool, input: JSON.stringify(input) })),
    done,
    note: note ?? null,
  }
}

interface Claim {
  readonly entity: string
  readonly value: string
  readonly quote: string
  readonly sourceId: string
}

/** Stages a value of the instrument that somebody plays. */
export function setInstrument({ entity, value, quote, sourceId }: Claim): Call {
  return [
    'apply_ontology_ops',
    {
      operations: [
        {
          operation: 'set_claim_value',
          payload: {
            entity,
            entity_type: 'person',
            aspect: 'music',
            claim_key: 'instrument',
            value,
          },
          evidence: [{ sourceKind: 'memory', sourceId, quote }],
          reason: 'stated',
          confidence: 0.9,
        },
      ],
    },
  ]
}
