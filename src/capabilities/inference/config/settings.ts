import { z } from 'zod'
import { defineSettings } from '../../../kernel/config/settings.ts'

const maxTimeoutMs = 3_600_000

export const limitsShape = {
  /** Deadline of a whole call with all its attempts. */
  timeoutMs: z.int().min(100).max(maxTimeoutMs).default(120_000),
  /** An attempt without a byte after this time fails, and the next target is tried. */
  firstByteMs: z.int().min(100).max(maxTimeoutMs).default(30_000),
  /** Maximum silence within a reply. */
  idleMs: z.int().min(100).max(maxTimeoutMs).default(60_000),
  /** Maximum decoded bytes of a reply. */
  maxReplyBytes: z.int().min(1_024).max(268_435_456).default(33_554_432),
  /** Maximum characters of the text of a reply. */
  maxTextChars: z.int().min(1_000).max(20_000_000).default(2_000_000),
}

const entries = z.record(z.string(), z.unknown())

/** Describes the section for the documentation. `parseConfig` reads it leniently. */
const described = z.toJSONSchema(
  z.looseObject({
    enabled: z.boolean().optional(),
    defaultPolicy: z.string().optional(),
    accounts: entries,
    targets: entries,
    policies: entries,
    taskClasses: entries,
    workloads: entries,
    agents: entries,
    budgets: entries,
    limits: z.object(limitsShape),
    oauth: entries,
  }),
  { io: 'input' },
)

/** The section `inference`, as written. An invalid entry is no reason to stop the daemon. */
export const inferenceSettings = defineSettings('inference', z.unknown().meta({ ...described }))

const extraction = z.object({
  provider: z.string().optional(),
  model: z.string().optional(),
  endpoint: z.string().optional(),
  credentialRef: z.string().optional(),
})

/** The one model of earlier versions, used without a section `inference`. */
export const extractionSettings = defineSettings(
  'memory.pipelineV2.extraction',
  z.unknown().meta({ ...z.toJSONSchema(extraction, { io: 'input' }) }),
)
