import { agentsMigrations } from '../capabilities/agents/index.ts'
import { embeddingsMigrations } from '../capabilities/embeddings/index.ts'
import { hooksMigrations } from '../capabilities/hooks/index.ts'
import { memoryMigrations } from '../capabilities/memory/index.ts'
import { recallMigrations } from '../capabilities/recall/index.ts'
import { sessionsMigrations } from '../capabilities/sessions/index.ts'
import { telemetryMigrations } from '../capabilities/telemetry/index.ts'
import { transcriptsMigrations } from '../capabilities/transcripts/index.ts'
import type { Migration } from '../kernel/db/migrations.ts'
import { jobsMigrations } from '../kernel/jobs/migrations.ts'

/** Of all parts; their ids say in which order they are taken. */
export const migrations: readonly Migration[] = [
  ...jobsMigrations,
  ...agentsMigrations,
  ...memoryMigrations,
  ...embeddingsMigrations,
  ...recallMigrations,
  ...transcriptsMigrations,
  ...sessionsMigrations,
  ...hooksMigrations,
  ...telemetryMigrations,
]
