import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { z } from 'zod'
import type { Db } from '../../kernel/db/database.ts'
import { testOnEachEngine } from '../../kernel/testing/engines.ts'
import { createNullEngine } from '../../search/index.ts'
import {
  createRecall,
  recallModule,
  rerankerSettings,
  searchSettings,
  summaryCardSettings,
} from '../recall/index.ts'
import { continuitySettings, presenceChanged } from '../sessions/index.ts'
import { createSynthesis, synthesisSettings } from '../synthesis/index.ts'
import {
  ada,
  capabilitiesFixture,
  synthesisFixtureMigrations,
} from '../synthesis/synthesis.fixture.ts'
import { createClock } from './clock.ts'
import { agentSettings, hooksSettings } from './config.ts'
import type { Hook, SessionStart } from './hook.ts'
import { hooksMigrations } from './migrations.ts'
import type { EntitiesPort, HooksNeeds } from './needs.ts'
import type { startContext } from './replies.ts'
import { startSession } from './start/session-start.ts'

export const onEachEngine = testOnEachEngine([
  ...synthesisFixtureMigrations,
  ...recallModule.migrations,
  ...hooksMigrations,
])

type Ports = Pick<
  HooksNeeds,
  'entities' | 'notices' | 'plugins' | 'secrets' | 'skillInvocations' | 'updateNotice'
>

export const noEntities: EntitiesPort = {
  findNamed: async () => [],
  listAttributes: async () => [],
  findFocal: async () => ({ memoryIds: [], constraints: [] }),
}
const nullPorts: Ports = {
  entities: noEntities,
  notices: { list: async () => [] },
  plugins: { listContributions: async () => [] },
  secrets: { listNames: async () => [] },
  skillInvocations: { save: async () => true },
  updateNotice: () => '',
}

function createTestRecall(
  needs: Pick<
    Parameters<typeof createRecall>[0],
    'db' | 'host' | 'log' | 'events' | 'agents' | 'memory'
  >,
) {
  const recall = createRecall({
    ...needs,
    config: () => searchSettings.schema.parse(undefined),
    modelConfig: () => ({
      reranker: rerankerSettings.schema.parse(undefined),
      summaryCard: summaryCardSettings.schema.parse(undefined),
    }),
    engine: createNullEngine(),
    embeddings: {
      embedQuery: async () => undefined,
      embedNow: () => undefined,
      vectorOf: async () => undefined,
      activeIdentity: () => '',
    },
    transcripts: { search: async () => [], listSummaries: async () => [] },
    models: { run: () => Promise.reject(new Error('no model')), isReady: () => false },
  })
  for (const { seal } of recall.extensionPoints) seal()
  return recall
}

/**
 * The real capabilities that hooks use, a clock that the test moves, and the emitted events without
 * those about presence.
 */
export async function hooksNeeds(db: Db, ports: Partial<Ports> = {}) {
  const emitted: unknown[][] = []
  const capabilities = await capabilitiesFixture(db, {
    emit: ({ name }, payload) => {
      if (name !== presenceChanged.name) emitted.push([name, payload])
    },
  })
  const { folder, memory, sessions } = capabilities
  const continuity = continuitySettings.schema.parse(undefined)
  const hooks = hooksSettings.schema.parse({ sessionStart: { recallLimit: 3 } })
  const agent = agentSettings.schema.parse(undefined)
  const needs = {
    ...capabilities,
    recall: createTestRecall(capabilities),
    synthesis: createSynthesis({
      ...capabilities,
      background: db,
      memory: memory.selection,
      config: () => synthesisSettings.schema.parse(undefined),
    }),
    clock: createClock('America/Denver'),
    settings: () => ({ hooks, continuity, pipelineEnabled: true, agent }),
    ...nullPorts,
    ...ports,
  } satisfies HooksNeeds
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  const remember = async (content: string, more: object = {}) =>
    (await memory.remember(ada, { content, visibility: 'global', ...more })).memory.id
  return { needs, emitted, write, remember, sweepSessions: sessions.sweep }
}

export function hook(more: Partial<Hook> = {}): Hook {
  return {
    caller: ada,
    harness: 'codex',
    sessionKey: 'one',
    project: '/p',
    runtimePath: 'plugin',
    internal: false,
    ...more,
  }
}

type StartContext = z.output<typeof startContext>

/** Starts a session that receives a context. */
export async function startWithContext(
  needs: HooksNeeds,
  more: Partial<SessionStart> = {},
): Promise<StartContext> {
  return (await startSession(needs, { hook: hook(), claimOnly: false, ...more })) as StartContext
}

/** Replaces the settings of hooks. */
export function withSettings<Needs extends HooksNeeds>(needs: Needs, settings: object): Needs {
  const hooks = hooksSettings.schema.parse(settings)
  return { ...needs, settings: () => ({ ...needs.settings(), hooks }) }
}

type Epoch = Readonly<Record<'sessionKey' | 'reason' | 'sourceRef' | 'epoch', unknown>>

/** The ledger resets of all sessions, each with its reason and source. */
export function listLedgerResets(db: Db) {
  return db
    .withTables<{ sessionContextEpochs: Epoch }>()
    .selectFrom('sessionContextEpochs')
    .select(['sessionKey', 'reason', 'sourceRef'])
    .orderBy('epoch')
    .execute()
}
