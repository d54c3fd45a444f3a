import { z } from 'zod'
import { measurements } from '../analytics/index.ts'
import { reportReply } from '../diagnostics/index.ts'

/** Operations without fields. */
export const emptyBody = z.object({})

export const mode = z.enum(['disabled', 'paused', 'frozen', 'controlled-write'])

const queue = z.object({
  pending: z.int(),
  leased: z.int(),
  completed: z.int(),
  failed: z.int(),
  dead: z.int(),
})

export const statusReply = z.object({
  mode,
  /** Whether background operations may start. */
  gateOpen: z.boolean(),
  /** By name; a worker whose check fails has `error`. */
  workers: z.record(z.string(), z.looseObject({ running: z.boolean() })),
  queues: z.object({ memory: queue, summary: queue }),
  /** The report of `GET /api/diagnostics`. */
  diagnostics: reportReply,
  ...measurements.shape,
})

const changeFields = {
  success: z.literal(true),
  /** False when the pipeline already had this state. */
  changed: z.boolean(),
  /** Absolute path of the settings file. */
  file: z.string(),
  mode,
}

export const pauseReply = z.object({
  ...changeFields,
  paused: z.literal(true),
  quiescence: z.object({
    activeAtStart: z.int(),
    aborted: z.int(),
    /** Operations that ignored the abort; 0 confirms that none runs. */
    remaining: z.int(),
    timedOut: z.boolean(),
  }),
})

export const resumeReply = z.object({ ...changeFields, paused: z.literal(false) })

export const nudgeReply = z.object({ nudged: z.literal(true), woke: z.array(z.string()) })

export const failure = z.object({ error: z.string(), code: z.string() })
