import type { createContentReader } from './contributions.ts'
import { listCandidates } from './contributions.ts'
import { noSurfaces, type Target } from './manifest.ts'
import type { Registry } from './registry.ts'
import { listActiveSurfaces, toRecord } from './state.ts'

interface DescribeNeeds {
  readonly registry: Pick<Registry, 'list' | 'get'>
  readonly readContents: ReturnType<typeof createContentReader>
  readonly version: string
}

/** The contributions in effect, in the order of display. */
export async function listContributions(
  { registry, readContents, version }: DescribeNeeds,
  target?: Target,
) {
  const candidates = listCandidates(registry.list(), version)
  return readContents(
    candidates.filter(({ contribution }) => !target || contribution.target === target),
  )
}

/** Everything about one plugin, for its user. Refuses `plugin_not_found`. */
export async function describePlugin(needs: DescribeNeeds, id: string) {
  const { registry, version } = needs
  const registered = registry.get(id)
  const { manifest, validationErrors } = registered.plugin
  const contributions = await listContributions(needs)
  const own = listCandidates(registry.list(), version).filter(
    (candidate) => candidate.registered.plugin.id === id,
  )
  return {
    plugin: {
      record: toRecord(registered, version),
      manifest: manifest ? { ...manifest } : null,
      activeSurfaces: listActiveSurfaces(registered, version),
      plannedSurfaces: manifest?.surfaces ?? noSurfaces,
      promptContributions: contributions.filter(({ pluginId }) => pluginId === id),
      promptContributionDiagnostics: own.map(({ contribution, reason, missingCapabilities }) => ({
        contribution,
        included: reason === undefined,
        ...(reason !== undefined && { reason }),
        missingCapabilities: [...missingCapabilities],
      })),
      validationErrors: [...validationErrors],
    },
  }
}
