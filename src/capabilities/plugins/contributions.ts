import { messageOf } from '../../kernel/errors/system-error.ts'
import type { Host } from '../../kernel/host/host.ts'
import { withTimeout } from '../../kernel/host/with-timeout.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import type { ManifestContribution, Target } from './manifest.ts'
import type { PluginHealth } from './plugin.ts'
import { evaluate, isOperating, listGranted, type Registered } from './state.ts'

/** A contribution to prompts, with the reason why it is left out. */
interface Candidate {
  readonly registered: Registered
  readonly contribution: ManifestContribution
  readonly missingCapabilities: readonly string[]
  readonly reason?: string
}

/** A contribution in effect. */
export interface PromptContribution {
  readonly id: string
  readonly pluginId: string
  readonly target: Target
  readonly mode: ManifestContribution['mode']
  readonly priority: number
  readonly maxTokens: number
  readonly content: string
  /** Whether the text is part of the service. Any other text is data, not instructions. */
  readonly isCore: boolean
}

const maxTargetTokens = 1_000
const charactersPerToken = 4

/** All declared contributions in the order of display: priority, plugin, id. */
export function listCandidates(
  all: readonly Registered[],
  coreVersion: string,
): readonly Candidate[] {
  const tokens = new Map<Target, number>()
  const declared = all.flatMap((registered) =>
    (registered.plugin.manifest?.surfaces.promptContributions ?? []).map((contribution) => ({
      registered,
      contribution,
    })),
  )
  return declared.toSorted(byDisplay).map((candidate) => {
    const { registered, contribution } = candidate
    const { target, maxTokens } = contribution
    const missingCapabilities = listMissing(registered, contribution)
    const reason = findExclusion(registered, { coreVersion, missing: missingCapabilities })
    if (reason !== undefined) return { ...candidate, missingCapabilities, reason }
    const used = (tokens.get(target) ?? 0) + maxTokens
    if (used > maxTargetTokens)
      return { ...candidate, missingCapabilities, reason: `the budget of ${target} is used up` }
    tokens.set(target, used)
    return { ...candidate, missingCapabilities }
  })
}

type Declared = Pick<Candidate, 'registered' | 'contribution'>

function byDisplay(a: Declared, b: Declared): number {
  return (
    a.contribution.priority - b.contribution.priority ||
    compare(a.registered.plugin.id, b.registered.plugin.id) ||
    compare(a.contribution.id, b.contribution.id)
  )
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b)
}

function listMissing(registered: Registered, contribution: ManifestContribution) {
  const granted = listGranted(registered)
  const { target, requiredCapabilities } = contribution
  const required = new Set([`prompt:contribute:${target}`, ...requiredCapabilities])
  return [...required].filter((name) => !granted.includes(name))
}

function findExclusion(
  registered: Registered,
  { coreVersion, missing }: { readonly coreVersion: string; readonly missing: readonly string[] },
): string | undefined {
  const { state, reason } = evaluate(registered, coreVersion)
  if (!isOperating(state)) return `the plugin is ${state}: ${reason ?? ''}`
  return missing.length > 0 ? 'capabilities are not granted' : undefined
}

interface ReaderNeeds {
  readonly host: Pick<Host, 'sleep'>
  /** Reports the outcome of a call of a module. */
  readonly onHealth: (pluginId: string, health: PluginHealth) => void
}

const callTimeoutMs = 250
const maxFailures = 3

/** Reads texts of plugins through one guard: errors and overruns of modules leave a text out. */
export function createContentReader({ host, onHealth }: ReaderNeeds) {
  const failures = new Map<string, number>()

  const call = async ({ registered, contribution }: Declared): Promise<string | undefined> => {
    const { id, readContent } = registered.plugin
    try {
      const text = await withTimeout(
        host,
        callTimeoutMs,
        run(() => readContent(contribution)),
      )
      if (text === undefined) throw new Error(`it took longer than ${callTimeoutMs} ms`)
      failures.delete(id)
      onHealth(id, { status: 'healthy' })
      return text
    } catch (error) {
      const count = (failures.get(id) ?? 0) + 1
      failures.set(id, count)
      const message = `${count} calls in a row have failed: ${messageOf(error)}`
      if (count >= maxFailures) onHealth(id, { status: 'degraded', message })
      return undefined
    }
  }

  return async (candidates: readonly Candidate[]): Promise<readonly PromptContribution[]> => {
    const included = candidates.filter(({ reason }) => reason === undefined)
    const read = await Promise.all(
      included.map(async (candidate) => {
        const content = cut(await call(candidate), candidate.contribution.maxTokens)
        return content === '' ? [] : [toContribution(candidate, content)]
      }),
    )
    return read.flat()
  }
}

/** A module that throws at once counts as failed. */
async function run<Result>(work: () => Promise<Result>): Promise<Result> {
  return await work()
}

/** Control characters and marks that change the direction of text; line breaks and tabs stay. */
const hiddenCharacters = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

function cut(text = '', maxTokens: number): string {
  const visible = text.replaceAll(/\r\n?/g, '\n').replaceAll(hiddenCharacters, '').trim()
  return sliceText(visible, 0, charactersPerToken * maxTokens)
}

function toContribution({ registered, contribution }: Declared, content: string) {
  const { id, target, mode, priority, maxTokens } = contribution
  const { manifest } = registered.plugin
  const isCore = manifest?.trustTier === 'core'
  const pluginId = registered.plugin.id
  return { id, pluginId, target, mode, priority, maxTokens, content, isCore }
}
