import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { accessModule, createAccess } from '../capabilities/access/index.ts'
import { analyticsModule, createAnalytics } from '../capabilities/analytics/index.ts'
import { createDiagnostics, diagnosticsModule } from '../capabilities/diagnostics/index.ts'
import { embeddingTrackerSettings } from '../capabilities/embeddings/index.ts'
import { createExplorer, explorerModule } from '../capabilities/explorer/index.ts'
import { createGitSync, gitSettings, gitSyncModule } from '../capabilities/git-sync/index.ts'
import { createHarnesses, harnessesModule } from '../capabilities/harnesses/index.ts'
import { memorySettings } from '../capabilities/memory/index.ts'
import { createPipeline, pipelineModule } from '../capabilities/pipeline/index.ts'
import {
  autonomousSettings,
  createRepair,
  repairModule,
  repairSettings,
} from '../capabilities/repair/index.ts'
import { continuitySettings } from '../capabilities/sessions/index.ts'
import { createSettings, settingsModule } from '../capabilities/settings/index.ts'
import { createUpdate, updateModule, updatesSettings } from '../capabilities/update/index.ts'
import {
  createWorkspace,
  featuresSettings,
  workspaceModule,
} from '../capabilities/workspace/index.ts'
import { createBrowserRules } from '../kernel/auth/browser.ts'
import { readVariable, readVariables } from '../kernel/config/environment.ts'
import { readRawValue } from '../kernel/config/raw-settings.ts'
import { toEventLoop } from '../kernel/host/loop-monitor.ts'
import { processSettings } from '../kernel/process/environment.ts'
import { toLocalUrl } from './daemon-file.ts'
import { extendedRegistry } from './extensions.ts'

/** All capabilities: those about content, then those about the operation of the service. */
export const registry = extendedRegistry
  .add(accessModule, ({ config, tokenSecret: secret, ...kernel }) =>
    createAccess({
      ...kernel,
      ...config.current().kernel.auth,
      secret,
      rules: createBrowserRules({
        secret,
        publicUrl: config.current().kernel.dashboard.publicUrl,
      }),
      password: {
        hash: readVariable('SVC_ADMIN_PASSWORD_HASH'),
        password: readVariable('SVC_ADMIN_PASSWORD'),
      },
    }),
  )
  .add(updateModule, (kernel, { hooks }) => {
    const update = createUpdate({
      ...kernel,
      folder: kernel.self.workspace,
      version: kernel.self.version,
      script: process.argv[1] ?? '',
      config: () => kernel.config.read(updatesSettings),
      settings: kernel.config,
      variables: readVariables,
      pass: () => kernel.config.read(processSettings).pass,
      restart: kernel.self.restart,
    })
    hooks.updateNotice.add(update.notice)
    return update
  })
  .add(diagnosticsModule, (kernel, { agents, inference, memory, update }) =>
    createDiagnostics({
      ...kernel,
      update: update.summary,
      settings: {
        ...kernel.config,
        pipeline: () => ({
          ...kernel.config.read(memorySettings),
          embeddingTracker: kernel.config.read(embeddingTrackerSettings),
          continuity: kernel.config.read(continuitySettings),
        }),
      },
      eventLoop: () => toEventLoop(kernel.loop.read()),
      modelCalls: inference.activeCalls,
      contentSafety: memory.contentSafety,
      agentCreatedAt: (name) => agents.createdAt(kernel.db, name),
    }),
  )
  .add(workspaceModule, ({ config, database, host, self }, { secrets }) =>
    createWorkspace({
      host,
      database,
      folder: self.workspace,
      version: self.version,
      logPaths: self.logPaths,
      excludedFiles: secrets.listKeyFiles,
      settings: {
        validate: config.examine,
        readValue: readRawValue,
        features: () => config.read(featuresSettings),
      },
    }),
  )
  .add(harnessesModule, ({ children, config, host, self }, { sessions }) =>
    createHarnesses({
      host,
      children,
      folder: self.workspace,
      home: homedir(),
      codexHome: config.current().codexHome,
      cli: {
        command: process.execPath,
        args: [findBinary('reverie')],
        url: () => toLocalUrl(self.bindHost, self.port()),
      },
      variables: readVariables,
      lastSeen: sessions.harnessesSeen,
    }),
  )
  .add(settingsModule, (kernel) => createSettings({ ...kernel, folder: kernel.self.workspace }))
  .add(explorerModule, (kernel) => createExplorer(kernel))
  .add(repairModule, (kernel, { diagnostics, memory }) =>
    createRepair({
      ...kernel,
      recordSystemEvent: memory.recordSystemEvent,
      exclusive: kernel.database.file !== undefined,
      report: diagnostics.report,
      settings: () => ({
        repair: kernel.config.read(repairSettings),
        autonomous: kernel.config.read(autonomousSettings),
        mutationsFrozen: kernel.config.read(memorySettings).mutationsFrozen,
      }),
    }),
  )
  .add(gitSyncModule, (kernel) =>
    createGitSync({
      ...kernel,
      folder: kernel.self.workspace,
      logPaths: kernel.self.logPaths,
      settings: {
        read: () => kernel.config.read(gitSettings),
        onChange: (listener) =>
          kernel.config.onChange(({ sections }) => {
            if (sections.includes('git')) listener()
          }),
        examine: (file, text) => kernel.config.examine(file, text).problem,
        readValue: readRawValue,
      },
      variables: readVariables,
      askPass: findBinary('git-askpass'),
    }),
  )
  .add(analyticsModule, (kernel, { diagnostics, 'git-sync': git }) =>
    createAnalytics({ ...kernel, report: diagnostics.report, gitFailures: git.countFailures }),
  )
  .add(pipelineModule, (kernel, { analytics, diagnostics }) =>
    createPipeline({
      ...kernel,
      folder: kernel.self.workspace,
      settings: () => kernel.config.read(memorySettings),
      report: diagnostics.reportReply,
      measurements: analytics.measurements,
    }),
  )

/** A program of the package. Sources are two folders below its root, builds are three. */
function findBinary(name: string): string {
  const root = import.meta.url.endsWith('.ts') ? '../../' : '../../../'
  return fileURLToPath(new URL(`${root}bin/${name}`, import.meta.url))
}
