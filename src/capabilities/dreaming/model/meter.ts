import type { ModelReply } from '../../inference/index.ts'
import { toTokens } from '../evidence/evidence.ts'
import type { DreamingNeeds } from '../needs.ts'
import type { Pass } from '../pass.ts'
import { sumCosts, updateRunning } from '../store/passes.ts'

/** The budget that ends the model stage. */
type BudgetStop =
  | 'calls'
  | 'tool_calls'
  | 'input_tokens'
  | 'output_tokens'
  | 'cost_per_pass'
  | 'cost_per_day'
  | 'tokens_per_day'

export interface Meter {
  /** The budget that has no room for one more call, at its worst. */
  findStop(promptChars: number): Promise<BudgetStop | undefined>
  /** Output tokens that the next call may use. */
  maxTokens(): number
  /** Saves what a call has used, so that other daemons and the next pass count it. */
  record(reply: ModelReply, promptChars: number): Promise<void>
  recordTool(): void
  hasToolCalls(): boolean
  /** Whether a call has been answered. */
  hasCalls(): boolean
  describe(): string
}

const maxReplyTokens = 4_096
/** A shorter reply holds no operation. */
const minReplyTokens = 256
const dayMs = 86_400_000
const microsPerDollar = 1_000_000

export function createMeter(needs: DreamingNeeds, pass: Pass): Meter {
  const { budget, maxInputTokens, maxOutputTokens } = needs.config()
  const used = { calls: 0, tools: 0, input: 0, output: 0, cacheRead: 0, cacheCreation: 0 }
  const cost = { micros: 0, isKnown: true }
  const priceOf = (input: number, output: number) =>
    needs.models.estimateCost('memory_extraction', pass.agentId, { input, output })
  const maxTokens = () => Math.min(maxReplyTokens, maxOutputTokens - used.output)
  const findPassStop = (prompt: number, price: number): BudgetStop | undefined => {
    if (used.calls >= budget.callsPerPass) return 'calls'
    if (used.tools >= budget.toolCallsPerPass) return 'tool_calls'
    if (used.input + prompt > maxInputTokens) return 'input_tokens'
    if (maxTokens() < minReplyTokens) return 'output_tokens'
    return cost.micros / microsPerDollar + price > budget.costPerPass ? 'cost_per_pass' : undefined
  }
  return {
    maxTokens,
    findStop: async (promptChars) => {
      const prompt = toTokens(promptChars)
      const price = priceOf(prompt, maxTokens()) ?? 0
      const stop = findPassStop(prompt, price)
      if (stop) return stop
      const since = new Date(needs.host.now().getTime() - dayMs).toISOString()
      const day = await sumCosts(needs.db, since)
      if (day.tokens + prompt + maxTokens() > budget.tokensPerDay) return 'tokens_per_day'
      if (price > 0 && day.costMicros / microsPerDollar + price > budget.costPerDay)
        return 'cost_per_day'
      return undefined
    },
    record: async ({ usage, text }, promptChars) => {
      const input = usage.inputTokens ?? toTokens(promptChars)
      const output = usage.outputTokens ?? toTokens(text.length)
      used.calls += 1
      used.input += input
      used.output += output
      used.cacheRead += usage.cacheReadTokens ?? 0
      used.cacheCreation += usage.cacheCreationTokens ?? 0
      const price = usage.totalCost ?? priceOf(input, output)
      cost.micros += Math.round((price ?? 0) * microsPerDollar)
      cost.isKnown &&= price !== null
      await updateRunning(needs.db, pass, {
        inputTokens: used.input,
        outputTokens: used.output,
        cacheReadTokens: used.cacheRead,
        cacheCreationTokens: used.cacheCreation,
        costMicros: cost.micros,
        costKnown: cost.isKnown ? 1 : 0,
      })
    },
    recordTool: () => {
      used.tools += 1
    },
    hasCalls: () => used.calls > 0,
    hasToolCalls: () => used.tools < budget.toolCallsPerPass,
    describe: () =>
      [
        `model calls ${budget.callsPerPass - used.calls}`,
        `tool calls ${budget.toolCallsPerPass - used.tools}`,
        `output tokens ${maxOutputTokens - used.output}`,
      ].join(', '),
  }
}
