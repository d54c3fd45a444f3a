import type { z } from 'zod'
import type { Executor } from '../targets/target.ts'
import type { Model, TargetConfig, TargetModel } from './config.ts'
import { modelShape, type PrivacyTier, type TargetKind, targetShape } from './entries.ts'
import type { Issues } from './issues.ts'
import { isLocalAddress } from './local-address.ts'
import { parseMap } from './parse-map.ts'

const field = 'inference.targets'
const maxModels = 64
const modelIds = /^[\w.:/-]{1,79}$/

interface ExecutorTraits {
  readonly kind: TargetKind
  readonly endpoint?: string
  /** Runs on this machine or in this network, unless its address is public. */
  readonly isLocal?: boolean
  /** Has no endpoint. */
  readonly isProgram?: boolean
}

const traits: Readonly<Record<Executor, ExecutorTraits>> = {
  'openai-compatible': { kind: 'gateway' },
  openai: { kind: 'api', endpoint: 'https://api.openai.com/v1' },
  openrouter: { kind: 'api', endpoint: 'https://openrouter.ai/api/v1' },
  anthropic: { kind: 'api', endpoint: 'https://api.anthropic.com/v1' },
  google: { kind: 'api', endpoint: 'https://generativelanguage.googleapis.com/v1beta' },
  ollama: { kind: 'local', endpoint: 'http://127.0.0.1:11434', isLocal: true },
  'llama-cpp': { kind: 'local', endpoint: 'http://127.0.0.1:8080/v1', isLocal: true },
  command: { kind: 'local', isProgram: true },
  'claude-code': { kind: 'subscription_session', isProgram: true },
  codex: { kind: 'subscription_session', isProgram: true },
  opencode: { kind: 'subscription_session', isProgram: true },
}

/** Their vendors receive the prompts. */
const agentPrograms: readonly Executor[] = ['claude-code', 'codex', 'opencode']

/** True for a program that signs in by itself and has no credential of ours. */
function isAgentProgram(executor: Executor): boolean {
  return agentPrograms.includes(executor)
}

export function parseTargets(issues: Issues, value: unknown): Map<string, TargetConfig> {
  const targets = new Map<string, TargetConfig>()
  const options = { field, shape: targetShape, aliases: { baseUrl: 'endpoint' } }
  for (const [id, { models, ...entry }] of parseMap(issues, value, options)) {
    const target = toTarget(issues, id, entry)
    if (target) targets.set(id, { ...target, models: parseModels(issues, id, models) })
  }
  return targets
}

type TargetInput = Omit<z.output<z.ZodObject<typeof targetShape>>, 'models'>

function toTarget(
  issues: Issues,
  id: string,
  { executor, ...given }: TargetInput,
): Omit<TargetConfig, 'models'> | undefined {
  const { isProgram = false, ...defaults } = traits[executor]
  const endpointInput = given.endpoint ?? defaults.endpoint
  const endpoint =
    isProgram || !endpointInput ? undefined : normalizeEndpoint(executor, endpointInput)
  if (!isProgram && !endpoint) {
    issues.warn(`${field}.${id}.endpoint`, id, 'An endpoint is required. The target is ignored.')
    return undefined
  }
  if (executor === 'command' && !given.command) {
    issues.warn(`${field}.${id}.command`, id, 'A command is required. The target is ignored.')
    return undefined
  }
  const privacy = toPrivacy(issues, { id, executor, endpoint, privacy: given.privacy })
  const { account, command } = given
  return { id, executor, kind: given.kind ?? defaults.kind, account, endpoint, command, privacy }
}

/** The form that the client of the provider accepts. */
function normalizeEndpoint(executor: Executor, endpoint: string): string {
  const address = endpoint.replace(/\/+$/, '')
  if (executor === 'ollama') return address.replace(/\/(v1|api)$/, '')
  const hasPath = (URL.parse(address)?.pathname ?? '/') !== '/'
  return executor === 'anthropic' && !hasPath ? `${address}/v1` : address
}

interface PrivacyOf {
  readonly id: string
  readonly executor: Executor
  readonly endpoint: string | undefined
  readonly privacy: PrivacyTier | undefined
}

/** A public address or a vendor's program is never `local_only`, whatever the settings say. */
function toPrivacy(issues: Issues, { id, executor, endpoint, privacy }: PrivacyOf): PrivacyTier {
  const isAgent = isAgentProgram(executor)
  const isPublic = endpoint !== undefined && !isLocalAddress(endpoint)
  const byDefault = traits[executor].isLocal ? 'local_only' : 'remote_ok'
  const level = privacy ?? (isAgent ? 'restricted_remote' : byDefault)
  if (level !== 'local_only' || !(isAgent || isPublic)) return level
  const lowered = isAgent ? 'restricted_remote' : 'remote_ok'
  const reason = isAgent ? 'This program sends prompts away' : 'The endpoint is a public address'
  issues.warn(`${field}.${id}.privacy`, id, `${reason}, so the target is ${lowered}.`)
  return lowered
}

function parseModels(issues: Issues, id: string, value: unknown): Map<string, Model> {
  const models = `${field}.${id}.models`
  const parsed = parseMap(issues, value, {
    field: models,
    shape: modelShape,
    ids: modelIds,
    maxEntries: maxModels,
  })
  if (parsed.size === 0) issues.warn(models, id, 'The target has no model.')
  return parsed
}

/** Every model under its ref, in the order of the settings. */
export function listModels(
  issues: Issues,
  targets: ReadonlyMap<string, TargetConfig>,
): Map<string, TargetModel> {
  const all = [...targets.values()].flatMap((target) =>
    [...target.models].map(([key, model]): [string, TargetModel] => {
      const ref = `${target.id}/${key}`
      return [ref, toTargetModel(issues, { ref, key, target, model })]
    }),
  )
  return new Map(all)
}

type Listed = Pick<TargetModel, 'ref' | 'key' | 'target' | 'model'>

function toTargetModel(issues: Issues, listed: Listed): TargetModel {
  const { ref, target, model } = listed
  const { executor } = target
  const isCommand = executor === 'command'
  const isCloud = executor === 'ollama' && /[-:]cloud$/.test(model.model)
  if (isCloud && target.privacy !== 'remote_ok')
    issues.warn(
      `${field}.${target.id}.models`,
      ref,
      'The server sends calls of a cloud model away, so it is remote_ok.',
    )
  return {
    ...listed,
    privacy: isCloud ? 'remote_ok' : target.privacy,
    toolUse: model.toolUse ?? !(isCommand || isAgentProgram(executor)),
    streaming: model.streaming ?? !isCommand,
  }
}
