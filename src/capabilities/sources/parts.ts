import { createExtensionPoint } from '../../kernel/capability/extension-point.ts'
import { createDeletion } from './deletion/delete-source.ts'
import { createTombstones } from './deletion/tombstones.ts'
import { createChunkEmbedder } from './embed-chunks.ts'
import { sourceRunChanged } from './events.ts'
import { createGraphCounts } from './graph-counts.ts'
import { createChat } from './kinds/chat/sync.ts'
import { createCodeHost } from './kinds/code-host/sync.ts'
import { RunFailure, type SourceKind } from './kinds/kind.ts'
import { createManifest } from './kinds/notes-vault/manifest.ts'
import { createNotesVault } from './kinds/notes-vault/sync.ts'
import { createWeb } from './kinds/web/sync.ts'
import { createWiki } from './kinds/wiki/sync.ts'
import type { SourcesOptions } from './needs.ts'
import type { ImportedRows } from './ports.ts'
import { createRegistry } from './registry/registry.ts'
import { createPace } from './runs/pace.ts'
import { runSource } from './runs/run-source.ts'
import { createScheduler } from './runs/scheduler.ts'
import { ownerOf } from './source.ts'

/** The state of the capability, which its operations share. */
export function createParts(options: SourcesOptions) {
  const { host, events, folder } = options
  const registry = createRegistry(options)
  const tombstones = createTombstones(folder)
  const pace = createPace(host)
  const embedder = createChunkEmbedder({ ...options, pace })
  const kinds = createKinds(options)
  const scheduler = createScheduler({
    host,
    run: (source, control) =>
      runSource({ ...options, pace, registry, embedder, kinds }, source, control),
    onChange: ({ id: jobId, sourceId, status }, source) =>
      events.emit(sourceRunChanged, { agentId: ownerOf(source), sourceId, jobId, status }),
  })
  const importedRows = createExtensionPoint<ImportedRows>('sources.importedRows')
  const deletion = createDeletion({ ...options, registry, tombstones, scheduler, importedRows })
  const graphCounts = createGraphCounts({ ...options, scheduler })
  const work = { pace, registry, embedder, scheduler }
  return { ...options, ...work, deletion, importedRows, graphCounts }
}

function createKinds(options: SourcesOptions): ReadonlyMap<string, SourceKind> {
  const { db, host, config } = options
  const kinds = [
    createNotesVault({ host, manifest: createManifest(db) }),
    createWeb(options),
    createCodeHost({ ...options, apiUrl: () => config().codeHost.apiUrl }),
    createChat({ ...options, apiUrl: () => config().chat.apiUrl }),
    createWiki({ ...options, apiUrl: () => config().wiki.apiUrl }),
    importedFiles,
  ]
  return new Map(kinds.map((kind) => [kind.kind, kind]))
}

/** Imported files are stored once: a run has nothing to read. */
const importedFiles: SourceKind = {
  kind: 'import',
  sync: () =>
    Promise.reject(
      new RunFailure('An imported file has no original that can be read. Import it again.'),
    ),
}
