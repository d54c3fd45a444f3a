import type { InferenceConfig, Policy } from '../config/config.ts'
import { type Classification, classify } from './classify.ts'
import { listBlocks, listObservedBlocks, type TargetState } from './gates.ts'
import { findAgent, listAllowed, orderTargets } from './order.ts'
import { findWorkload, type Requirements, type RouteRequest, toRequirements } from './request.ts'
import { RouterError } from './router-error.ts'
import { scoreTarget } from './score.ts'

export interface RouteDecision {
  readonly policyId: string
  readonly mode: Policy['mode']
  readonly taskClass: string
  readonly targetRef: string
  readonly targetId: string
  readonly modelId: string
  readonly fallbackTargetRefs: readonly string[]
  readonly trace: Trace
}

export interface Trace {
  readonly policyId: string
  readonly mode: Policy['mode']
  readonly classification: Classification
  readonly orderedTargets: readonly string[]
  readonly candidates: readonly Candidate[]
}

export interface Candidate {
  readonly targetRef: string
  readonly allowed: boolean
  readonly score: number | null
  readonly reasons: readonly string[]
  readonly blockedBy: readonly string[]
  readonly runtime: TargetState
}

export interface DecisionInput {
  readonly config: InferenceConfig
  readonly request: RouteRequest
  readonly state: (ref: string) => TargetState
  /** The gates of the budgets that apply to this target, such as `budget:daily`. */
  readonly budgetBlocks: (ref: string, taskClass: string) => readonly string[]
}

export interface Decided {
  readonly decision: RouteDecision
  readonly requirements: Requirements
}

/** Chooses the target of a call. The same input gives the same trace. Throws a `RouterError`. */
export function decide(input: DecisionInput): Decided {
  const { config, request } = input
  assertRoutable(config, request)
  const [policyId, policy] = choosePolicy(config, request)
  const classification = classify(config, request)
  const { taskClass, reasoning } = classification
  const settings = config.taskClasses.get(taskClass)
  const requirements = toRequirements(config, { request, taskClass: settings, policy, reasoning })
  const allowed = listAllowed(config, policy, request.agentId)
  const orderedTargets = orderTargets(config, { request, policy, taskClass, allowed })
  const candidates = orderedTargets.map((ref, index) =>
    toCandidate(input, { ref, index, taskClass, requirements, isListed: allowed.includes(ref) }),
  )
  const trace = { policyId, mode: policy.mode, classification, orderedTargets, candidates }
  const selected = select(candidates, policy.mode)
  if (!selected) throw noCandidates(trace)
  const { targetRef } = selected
  const [targetId = '', modelId = ''] = splitRef(targetRef)
  const others = candidates.filter((each) => each.allowed && each.targetRef !== targetRef)
  const fallbackTargetRefs = others.map((each) => each.targetRef)
  const route = { policyId, mode: policy.mode, taskClass, targetRef, targetId, modelId }
  return { decision: { ...route, fallbackTargetRefs, trace }, requirements }
}

/** The first slash splits a ref. */
function splitRef(ref: string): string[] {
  const at = ref.indexOf('/')
  return at < 0 ? [ref] : [ref.slice(0, at), ref.slice(at + 1)]
}

function assertRoutable({ issues, models }: InferenceConfig, request: RouteRequest): void {
  const errors = issues.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first) throw new RouterError('invalid-config', first.message, { issues: errors })
  const unknown = request.explicitTargets?.filter((ref) => !models.has(ref)) ?? []
  if (unknown.length === 0) return
  const message = `There is no target ${unknown.join(', ')}.`
  throw new RouterError('target-not-found', message, { targetRefs: unknown })
}

function choosePolicy(config: InferenceConfig, request: RouteRequest): [string, Policy] {
  const { policies } = config
  const { explicitPolicy } = request
  if (explicitPolicy !== undefined && !policies.has(explicitPolicy))
    throw new RouterError('policy-not-found', `There is no policy ${explicitPolicy}.`)
  const [first] = policies.keys()
  const ids = [
    explicitPolicy,
    findWorkload(config, request.operation)?.policy,
    findAgent(config, request.agentId)?.defaultPolicy,
    config.defaultPolicy,
    first,
  ]
  for (const id of ids) {
    const policy = id === undefined ? undefined : policies.get(id)
    if (id !== undefined && policy) return [id, policy]
  }
  throw new RouterError('policy-not-found', 'The settings define no policy.')
}

interface CandidateInput {
  readonly ref: string
  readonly index: number
  readonly taskClass: string
  readonly requirements: Requirements
  /** The roster of the agent and the policy allow it. */
  readonly isListed: boolean
}

function toCandidate(
  { config, state, budgetBlocks }: DecisionInput,
  { ref, index, taskClass, requirements, isListed }: CandidateInput,
): Candidate {
  const candidate = config.models.get(ref)
  if (!candidate) throw new RouterError('target-not-found', `There is no target ${ref}.`)
  const runtime = state(ref)
  const blockedBy = [
    ...(isListed ? [] : ['policy']),
    ...listBlocks(candidate, requirements),
    ...listObservedBlocks(runtime),
    ...budgetBlocks(ref, taskClass),
  ]
  if (blockedBy.length > 0)
    return { targetRef: ref, allowed: false, score: null, reasons: [], blockedBy, runtime }
  const scored = scoreTarget({ candidate, state: runtime, requirements, index })
  return { targetRef: ref, allowed: true, ...scored, blockedBy, runtime }
}

/** Strict takes the first, the other modes the best; of equals, the earlier one. */
function select(candidates: readonly Candidate[], mode: Policy['mode']): Candidate | undefined {
  const allowed = candidates.filter((candidate) => candidate.allowed)
  if (mode === 'strict') return allowed[0]
  return allowed.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))[0]
}

/** Only observations block this candidate, so it is listed as a failed attempt. */
export function isObservedOnly({ allowed, blockedBy }: Candidate): boolean {
  return !allowed && blockedBy.every((gate) => /^(executor|account):/.test(gate))
}

function noCandidates(trace: Trace): RouterError {
  const gates = new Set(trace.candidates.flatMap(({ blockedBy }) => blockedBy))
  const reason = gates.size > 0 ? ` Blocked by: ${[...gates].join(', ')}.` : ''
  const message = `No target may serve this request.${reason}`
  return new RouterError('no-candidates', message, { trace })
}
