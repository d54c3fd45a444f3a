import { createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import type { Db } from '../../kernel/db/database.ts'
import { extractionSettings, inferenceSettings } from './config/settings.ts'
import { createRouter } from './create-router.ts'
import { inferenceDomain, inferenceHealth } from './health.ts'
import { loginRoutes } from './login-routes.ts'
import { inferenceMigrations } from './migrations.ts'
import { createModelRegistry } from './model-registry.ts'
import { modelRoutes } from './model-routes.ts'
import { createModels } from './models.ts'
import type { InferenceNeeds } from './needs.ts'
import { createLogins } from './oauth/index.ts'
import type { InferenceHistory } from './ports.ts'
import { inferenceRoutes } from './routes.ts'
import { execute } from './run/execute.ts'
import type { RunRequest } from './run/router.ts'
import { openStream } from './run/stream.ts'
import { createLiveSettings } from './runtime/live-settings.ts'
import { deleteUsageOf } from './store/usage.ts'
import { createSweep } from './usage.ts'

export { type Operation, operations, type PrivacyTier, privacyTiers } from './config/entries.ts'
export { extractionSettings, inferenceSettings } from './config/settings.ts'
export type { RouteRequest } from './decision/request.ts'
export { RouterError } from './decision/router-error.ts'
export {
  inferenceExecuted,
  inferenceFellBack,
  inferenceRouted,
  inferenceStreamed,
} from './events.ts'
export type { ModelReply, ModelRequest, Models } from './models.ts'
export { isModelTimeout } from './models.ts'
export type { HistoryEvent, InferenceHistory } from './ports.ts'
export type { ExecuteResult } from './run/execute.ts'
export type { PromptCall } from './run/router.ts'
export type { ModelStream, ModelStreamEvent } from './run/stream.ts'
export type { FinishReason, MessagePart, ModelMessage, Usage } from './targets/target.ts'

export const inferenceModule = {
  name: 'inference',
  settings: [inferenceSettings, extractionSettings],
  migrations: inferenceMigrations,
} as const

export type Inference = ReturnType<typeof createInference>

export function createInference(needs: InferenceNeeds) {
  const settings = createLiveSettings(needs.settings, needs.log)
  const logins = createLogins({ ...needs, oauth: () => settings.current().oauth })
  const router = createRouter(
    { readLogin: logins.read, peekLogin: logins.peek, ...needs },
    settings,
  )
  const history = createExtensionPoint<InferenceHistory>('inference.history')
  const removeAgent = (db: Db, agentId: string) => deleteUsageOf(db, agentId)
  const registry = createModelRegistry({ ...needs, settings, readLogin: logins.read })
  return {
    routes: [
      ...inferenceRoutes({ ...needs, router, history }),
      ...modelRoutes({ registry, logins }),
      ...loginRoutes(logins),
    ],
    health: inferenceHealth(router),
    diagnostics: [inferenceDomain(router)],
    history,
    extensionPoints: [history],
    /** Calls of other capabilities. */
    models: createModels(router, router.prices),
    /** Calls of clients. */
    execute: (request: RunRequest) => execute(router, request),
    openStream: (request: RunRequest) => openStream(router, request),
    /** The running model calls, by the limit that bounds them. */
    activeCalls: () => router.concurrency.active(),
    /** The settings as they apply now. */
    config: () => router.settings.current(),
    schedules: [{ name: 'inference.sweep', everyMs: 3_600_000, run: createSweep(needs) }],
    agentRemoval: { archive: removeAgent, purge: removeAgent },
    stop: async () => {
      logins.stop()
      await router.stop()
    },
  }
}
