import { z } from 'zod'
import { channels, maxIntervalSeconds, minIntervalSeconds } from './config.ts'

/** `'true'` and `'false'` are accepted too. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

const wholeNumber = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(minIntervalSeconds).max(maxIntervalSeconds))

/** `latest` and `next` are the names of registries. */
const channel = z
  .enum([...channels, 'latest', 'next'])
  .transform((name) => (name === 'latest' ? 'stable' : name === 'next' ? 'nightly' : name))

export const checkQuery = z.object({
  force: flag
    .default(false)
    .describe('true asks the source even if a check is less than an hour old'),
})

export const checkReply = z.object({
  currentVersion: z.string(),
  latestVersion: z.string().nullable(),
  updateAvailable: z.boolean(),
  releaseUrl: z.string().nullable(),
  releaseNotes: z.string().nullable(),
  publishedAt: z.string().nullable(),
  /** A version is installed and runs after a restart. */
  restartRequired: z.boolean(),
  pendingVersion: z.string().nullable(),
  cached: z.boolean(),
  checkedAt: z.string(),
  checkError: z.string().optional(),
  isMajorUpgrade: z.boolean().optional(),
})

export const configReply = z.object({
  autoInstall: z.boolean(),
  checkInterval: z.int(),
  channel: z.enum(channels),
  minInterval: z.int(),
  maxInterval: z.int(),
  pendingRestartVersion: z.string().nullable(),
  lastAutoUpdateAt: z.string().nullable(),
  lastAutoUpdateError: z.string().nullable(),
  updateInProgress: z.boolean(),
})

/** The names of the settings file are accepted too. */
export const configBody = z
  .object({
    autoInstall: flag.optional().describe('installs updates in the background'),
    checkInterval: wholeNumber.optional().describe('seconds between automatic checks'),
    channel: channel.optional().describe('the kind of releases'),
    auto_install: flag.optional(),
    check_interval: wholeNumber.optional(),
  })
  .transform(({ auto_install, check_interval, ...body }) => ({
    channel: body.channel,
    autoInstall: body.autoInstall ?? auto_install,
    checkInterval: body.checkInterval ?? check_interval,
  }))

export const configChangeReply = z.object({
  success: z.literal(true),
  config: configReply,
  /** False when the settings file is missing or cannot be written. */
  persisted: z.boolean(),
  pendingRestartVersion: z.string().nullable(),
  lastAutoUpdateAt: z.string().nullable(),
  lastAutoUpdateError: z.string().nullable(),
})

const methods = ['npm', 'pnpm', 'yarn', 'bun', 'git', 'native', 'unknown'] as const
export type Method = (typeof methods)[number]

const errorCodes = [
  'manifest_invalid',
  'checksum_mismatch',
  'install_failed',
  'verification_failed',
  'invalid_target_version',
  'update_in_progress',
  'no_target_version',
  'unsupported_installation',
  'download_failed',
] as const
export type ErrorCode = (typeof errorCodes)[number]

export const runBody = z.object({
  targetVersion: z
    .string()
    .max(256)
    .optional()
    .describe('a version of the registry; default: the newest'),
  dryRun: flag.default(false).describe('reports what would happen and writes nothing'),
})

export const runReply = z.object({
  success: z.boolean(),
  message: z.string(),
  output: z.string().optional(),
  installedVersion: z.string().optional(),
  restartRequired: z.boolean(),
  errorCode: z.enum(errorCodes).optional(),
  installMethod: z.enum(methods).optional(),
  /** The launcher. */
  activeExecutablePath: z.string().optional(),
  activeExecutableVerified: z.boolean().optional(),
  /** What the launcher reports as its version. */
  observedVersion: z.string().optional(),
  dryRun: z.literal(true).optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  source: z.string().optional(),
  steps: z.array(z.string()).optional(),
  downloadBytes: z.int().optional(),
})

export const progressReply = z.object({
  state: z.enum(['idle', 'checking', 'downloading', 'installing', 'verifying', 'switching']),
  version: z.string().optional(),
  doneBytes: z.int().optional(),
  totalBytes: z.int().optional(),
  startedAt: z.string().optional(),
})
