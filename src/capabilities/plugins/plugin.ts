import type { Manifest, ManifestContribution, PluginSource } from './manifest.ts'

/** A discovered plugin, before the settings of its user apply. */
export interface Plugin {
  readonly source: PluginSource
  readonly id: string
  /** Undefined if it cannot be read. */
  readonly manifest: Manifest | undefined
  /** Rules of the manifest that are broken; empty for a valid one. */
  readonly validationErrors: readonly string[]
  /** Returns the text of a contribution. A module may fail or take long. */
  readContent(contribution: ManifestContribution): Promise<string>
}

/** A module of the service, described by a manifest like a plugin from outside. */
export interface BundledPlugin {
  readonly manifest: Manifest
  /** Texts by the id of their contribution. */
  readonly contents: Readonly<Record<string, () => string | Promise<string>>>
}

/** What the user decides about a plugin. It survives restarts. */
export interface Decision {
  readonly enabled: boolean
  readonly grantedCapabilities: readonly string[]
  readonly installedAt: string
  readonly updatedAt: string
}

/** The outcome of the last calls of a bundled module. */
export interface PluginHealth {
  readonly status: 'healthy' | 'degraded'
  readonly message?: string
}
