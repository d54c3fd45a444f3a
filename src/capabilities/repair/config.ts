import { z } from 'zod'
import { defineSettings } from '../../kernel/config/settings.ts'
import { type RepairName, repairs } from './actions.ts'

const milliseconds = z.int().min(0).max(86_400_000)
const perHour = z.int().min(1).max(1_000)

/** `memory.pipelineV2.repair` of `agent.yaml`. */
export const repairSettings = defineSettings(
  'memory.pipelineV2.repair',
  z
    .object({
      /** Time after a success in which the same repair is refused. */
      reembedCooldownMs: milliseconds.default(300_000),
      /** Successes of one repair in an hour. */
      reembedHourlyBudget: perHour.default(10),
      requeueCooldownMs: milliseconds.default(60_000),
      requeueHourlyBudget: perHour.default(50),
      dedupCooldownMs: milliseconds.default(600_000),
      dedupHourlyBudget: perHour.default(3),
      dedupSemanticThreshold: z.number().min(0.5).max(1).default(0.95),
      dedupBatchSize: z.int().min(1).max(500).default(50),
    })
    .prefault({}),
)

/** `memory.pipelineV2.autonomous` of `agent.yaml`. */
export const autonomousSettings = defineSettings(
  'memory.pipelineV2.autonomous',
  z
    .object({
      /** Whether agents may start repairs. */
      enabled: z.boolean().default(true),
      /** Refuses every repair of every caller. */
      frozen: z.boolean().default(false),
      maintenanceIntervalMs: z.int().min(1_000).max(86_400_000).default(1_800_000),
      /** `observe` logs the repairs that diagnostics name; `execute` runs them. */
      maintenanceMode: z.enum(['observe', 'execute']).default('observe'),
    })
    .prefault({}),
  { restart: ['maintenanceIntervalMs'] },
)

/** `memory.pipelineV2.worker` of `agent.yaml`. */
export const workerSettings = defineSettings(
  'memory.pipelineV2.worker',
  z
    .object({
      /** Age of a lease that `release-leases` ends. */
      leaseTimeoutMs: z.int().min(1_000).max(86_400_000).default(300_000),
    })
    .prefault({}),
)

export type RepairConfig = z.output<typeof repairSettings.schema>
export type AutonomousConfig = z.output<typeof autonomousSettings.schema>

export interface Limit {
  readonly cooldownMs: number
  readonly hourlyBudget: number
}

const checkFtsHourlyBudget = 5

export function toLimit(config: RepairConfig, name: RepairName): Limit {
  const { reembedCooldownMs, requeueCooldownMs, dedupCooldownMs } = config
  const limits = {
    reembed: { cooldownMs: reembedCooldownMs, hourlyBudget: config.reembedHourlyBudget },
    checkFts: { cooldownMs: reembedCooldownMs, hourlyBudget: checkFtsHourlyBudget },
    requeue: { cooldownMs: requeueCooldownMs, hourlyBudget: config.requeueHourlyBudget },
    dedup: { cooldownMs: dedupCooldownMs, hourlyBudget: config.dedupHourlyBudget },
  }
  return limits[repairs[name].limit]
}
