import { neutralize } from '../../kernel/redaction/neutralize.ts'
import type { Operation } from './operation.ts'
import { colors, toLine } from './output.ts'
import { type Row, renderDetail, renderRows, toRows } from './render.ts'

/** Fields that programs need and people do not. */
const hidden = {
  explicitPolicy: null,
  requireTools: null,
  requireStreaming: null,
  requireMultimodal: null,
  expectedInputTokens: null,
  expectedOutputTokens: null,
  latencyBudgetMs: null,
  costCeiling: null,
}
const routeOptions = { ...hidden, taskClass: 'task', explicitTargets: 'target' }
const routeDescriptions = {
  operation: 'kind of work, such as memory_extraction',
  taskClass: 'task class',
  privacy: 'remote_ok, restricted_remote or local_only',
  policy: 'id of a policy',
  explicitTargets: 'a target ref such as home/small; repeatable',
  refresh: 'check credentials and programs again',
}

/** The commands about models. */
export const inferenceOperations: readonly Operation[] = [
  {
    command: 'inference status',
    route: 'GET /api/inference/status',
    summary: 'Show the models, their state, budgets and invalid settings',
    examples: ['reverie inference status', 'reverie inference status --refresh 1'],
    descriptions: { refresh: 'check credentials and programs again' },
    render: renderStatus,
  },
  {
    command: 'inference explain',
    route: 'POST /api/inference/explain',
    summary: 'Show which model would receive a request, and why',
    examples: [
      'reverie inference explain',
      'reverie inference explain --privacy local_only --operation memory_extraction',
    ],
    options: { ...routeOptions, promptPreview: 'prompt' },
    descriptions: { ...routeDescriptions, promptPreview: 'beginning of the prompt' },
    render: renderDecision,
  },
  {
    command: 'inference run',
    route: 'POST /api/inference/execute',
    summary: 'Send a prompt to a model; - reads it from stdin',
    examples: [
      'reverie inference run "Name three kinds of tea"',
      'git diff | reverie inference run - --target home/small',
    ],
    arguments: ['prompt'],
    options: { ...routeOptions, promptPreview: null },
    descriptions: {
      ...routeDescriptions,
      maxTokens: 'maximum tokens of the reply',
      timeoutMs: 'timeout in milliseconds',
    },
    timeoutMs: 600_000,
    render: ({ text }) => neutralize(String(text)),
  },
  {
    command: 'inference logout',
    route: 'POST /api/inference/oauth/disconnect/:id',
    summary: 'Delete the stored login of a provider',
    examples: ['reverie inference logout openrouter'],
    after: 'inference login',
    noun: 'login',
    listedBy: 'reverie inference catalog',
    render: ({ disconnected }, [provider = '']) =>
      disconnected
        ? `${colors.green('✓')} Deleted the login of ${toLine(provider)}`
        : `No login of ${toLine(provider)} was stored.`,
  },
  {
    command: 'inference history',
    route: 'GET /api/inference/history',
    summary: 'List recorded model calls, newest first',
    examples: ['reverie inference history --failures'],
    options: { problems: null },
    descriptions: {
      event: 'inference.route, inference.execute, inference.stream or inference.fallback',
      failures: '1 lists failed, cancelled and fallback calls only',
      since: 'from this time on',
      until: 'up to this time',
      limit: 'maximum calls, 1 to 500; default 50',
    },
    list: 'events',
    columns: {
      time: 'timestamp',
      event: ({ event }) => String(event).replace('inference.', ''),
      agent: 'agentId',
      path: 'attemptPath',
      ms: 'durationMs',
      error: 'errorCode',
    },
    empty: 'No call is recorded. Try one: reverie inference run "Hello"',
  },
  {
    command: 'inference usage',
    route: 'GET /api/inference/usage',
    summary: 'Sum up calls, tokens and cost',
    examples: ['reverie inference usage', 'reverie inference usage --by target'],
    descriptions: {
      by: 'day, agent, target or operation',
      since: 'first day, such as 2026-11-01',
      until: 'last day',
    },
    list: 'rows',
    columns: {
      key: 'key',
      calls: 'calls',
      failed: 'failures',
      input: 'inputTokens',
      output: 'outputTokens',
      usd: ({ cost }) => Number(cost).toFixed(4),
    },
    empty: 'No model has been called. Try it: reverie inference run "Hello"',
  },
  {
    command: 'inference catalog',
    route: 'GET /api/pipeline/models',
    summary: 'List known models with their context windows and prices',
    examples: ['reverie inference catalog --provider anthropic'],
    descriptions: { provider: 'one provider', deprecated: 'true lists deprecated models only' },
    list: 'models',
    columns: {
      provider: 'provider',
      model: 'id',
      context: 'contextWindow',
      input: ({ price }) => Object(price).input,
      output: ({ price }) => Object(price).output,
    },
    empty: 'No model is known for this provider. List all: reverie inference catalog',
  },
  {
    command: 'inference cancel',
    route: 'DELETE /api/inference/requests/:id',
    summary: 'Cancel a running stream',
    examples: ['reverie inference cancel 0195f3a0-4a12-7c3e-9b51-6f2d8e7a1c04'],
    noun: 'request',
    listedBy: 'the header x-svc-request-id of the stream',
    confirm: false,
    render: ({ requestId }) => `${colors.green('✓')} Cancelled ${toLine(String(requestId))}`,
  },
]

function renderStatus(status: Row): string {
  const { enabled, defaultPolicy, configIssues, runtimeSnapshot, budgets } = status
  if (!enabled && toRows(configIssues).length === 0)
    return 'No model is configured. Run `reverie inference add ollama`, or see docs/inference.md.'
  const states: Record<string, Row> = Object(Object(runtimeSnapshot).targets)
  const targets = Object.entries(states).map(([target, state]): Row => ({ target, ...state }))
  const parts = [
    renderDetail({ enabled, defaultPolicy }),
    targets.length > 0 && renderRows(targets, targetColumns),
    toRows(budgets).length > 0 && renderRows(toRows(budgets), budgetColumns),
    toRows(configIssues).length > 0 && renderRows(toRows(configIssues), issueColumns),
  ]
  return parts.filter((part) => part !== false).join('\n\n')
}

const targetColumns = {
  target: 'target',
  health: 'health',
  account: 'accountState',
  problem: 'unavailableReason',
}
const budgetColumns = {
  budget: 'id',
  period: 'period',
  tokens: ({ used }: Row) => Object(used).tokens,
  usd: ({ used }: Row) => Object(used).cost,
  state: 'state',
  resets: 'resetsAt',
}
const issueColumns = { severity: 'severity', field: 'field', problem: 'message' }

function renderDecision({ targetRef, policyId, mode, taskClass, trace }: Row): string {
  const candidates = toRows(Object(trace).candidates)
  const columns = {
    target: 'targetRef',
    score: 'score',
    'blocked by': ({ blockedBy }: Row) => [blockedBy].flat().join(', '),
  }
  const summary = renderDetail({
    target: targetRef,
    policy: policyId,
    mode,
    'task class': taskClass,
  })
  return `${summary}\n\n${renderRows(candidates, columns)}`
}
