import type { z } from 'zod'
import type { CommandSettings, Executor, TargetLimits } from '../targets/target.ts'
import type {
  accountShape,
  agentShape,
  budgetShape,
  modelShape,
  oauthShape,
  PrivacyTier,
  policyShape,
  TargetKind,
  taskClassShape,
  WorkloadName,
  workloadShape,
} from './entries.ts'

type Entry<Shape extends z.ZodRawShape> = Readonly<z.output<z.ZodObject<Shape>>>
export type Account = Entry<typeof accountShape>
export type Model = Entry<typeof modelShape>
export type Policy = Entry<typeof policyShape>
export type TaskClass = Entry<typeof taskClassShape>
export type Workload = Entry<typeof workloadShape>
export type Agent = Entry<typeof agentShape>
export type Budget = Entry<typeof budgetShape>
type OAuthProvider = Entry<typeof oauthShape>

/** The settings as they apply: without invalid entries, with all defaults. */
export interface InferenceConfig {
  readonly enabled: boolean
  readonly source: 'explicit' | 'legacy-implicit' | 'disabled'
  /** Undefined if the settings name none. */
  readonly defaultPolicy: string | undefined
  readonly accounts: ReadonlyMap<string, Account>
  readonly targets: ReadonlyMap<string, TargetConfig>
  /** Every model of every target, by its ref. */
  readonly models: ReadonlyMap<string, TargetModel>
  readonly policies: ReadonlyMap<string, Policy>
  readonly taskClasses: ReadonlyMap<string, TaskClass>
  readonly workloads: Readonly<Partial<Record<WorkloadName, Workload>>>
  readonly agents: ReadonlyMap<string, Agent>
  readonly budgets: ReadonlyMap<string, Budget>
  readonly oauth: ReadonlyMap<string, OAuthProvider>
  readonly limits: Limits
  readonly issues: readonly Issue[]
}

/** A problem of the settings. An error disables routing; a warning does not. */
export interface Issue {
  readonly severity: 'warning' | 'error'
  readonly field: string
  /** The id or ref that is invalid or not defined. */
  readonly ref: string
  readonly message: string
}

export interface Limits extends TargetLimits {
  readonly timeoutMs: number
}

export interface TargetConfig {
  readonly id: string
  readonly executor: Executor
  readonly kind: TargetKind
  readonly account: string | undefined
  readonly endpoint: string | undefined
  readonly command: CommandSettings | undefined
  readonly privacy: PrivacyTier
  readonly models: ReadonlyMap<string, Model>
}

/** One model of one target: what a request may be sent to. */
export interface TargetModel {
  /** `<target id>/<model key>`. */
  readonly ref: string
  readonly key: string
  readonly target: TargetConfig
  readonly model: Model
  /** May be less strict than that of the target: some local servers send a model's calls away. */
  readonly privacy: PrivacyTier
  readonly toolUse: boolean
  readonly streaming: boolean
}
