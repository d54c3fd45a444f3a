import { join } from 'node:path'
import type { AuditEntry } from './audit/audit-event.ts'
import { listChanges } from './changes.ts'
import { findPlugins } from './find-plugins.ts'
import { listBrokenRules } from './manifest.ts'
import type { PluginsNeeds } from './needs.ts'
import type { BundledPlugin, Decision, Plugin, PluginHealth } from './plugin.ts'
import { pluginNotFound, undeclaredCapability } from './refusals.ts'
import { createDecisionStore } from './registry-file.ts'
import { listDeclared, type Registered } from './state.ts'

export type Registry = ReturnType<typeof createRegistry>

interface RegistryNeeds extends PluginsNeeds {
  /** Receives each change of a plugin. */
  readonly onChange: (entry: AuditEntry) => void
}

/** All plugins with the decisions of their user. */
export function createRegistry(needs: RegistryNeeds) {
  const { host } = needs
  const decisions = createDecisionStore(join(needs.folder, 'runtime', 'plugins'))
  const bundled: Plugin[] = []
  let discovered: readonly Plugin[] = []
  const health = new Map<string, PluginHealth>()

  const list = (): readonly Registered[] =>
    [...bundled, ...discovered].map((plugin) => ({
      plugin,
      decision: decisions.get(plugin.id) ?? toDefault(plugin, host.now().toISOString()),
      health: health.get(plugin.id),
    }))
  const get = (id: string): Registered => {
    const registered = list().find(({ plugin }) => plugin.id === id)
    if (!registered) throw pluginNotFound(id)
    return registered
  }
  const recordChanges = createRecorder(needs, list)
  const change = createSerial(recordChanges)
  const decide = async (id: string, more: Partial<Decision>): Promise<Registered> => {
    const updatedAt = host.now().toISOString()
    await decisions.save([[id, { ...get(id).decision, ...more, updatedAt }]])
    return get(id)
  }
  /** Each newly found plugin gets its decision: bundled ones are enabled, others are not. */
  const scan = async () => {
    discovered = (await findPlugins(join(needs.folder, 'plugins'))).filter(
      ({ id }) => !bundled.some((plugin) => plugin.id === id),
    )
    const added = list().filter(({ plugin }) => !decisions.has(plugin.id))
    if (added.length === 0 || !decisions.isReadable()) return
    await decisions.save(added.map(({ plugin, decision }) => [plugin.id, decision] as const))
    for (const { plugin } of added) needs.onChange(toDiscovery(plugin))
  }

  return {
    add: (module: BundledPlugin) => {
      bundled.push(toPlugin(module))
    },
    list,
    get,
    find: (id: string) => list().find(({ plugin }) => plugin.id === id),
    isReadable: decisions.isReadable,
    /** Reads the decisions and the folder of the workspace. */
    start: async () => {
      await decisions.load()
      await change(scan)
    },
    rescan: () => change(scan),
    setEnabled: (id: string, enabled: boolean) => change(() => decide(id, { enabled })),
    /** Replaces the set of granted capabilities, which must be declared. */
    setGrants: (id: string, capabilities: readonly string[]) =>
      change(() => {
        const declared = listDeclared(get(id).plugin.manifest)
        const unknown = capabilities.find((name) => !declared.includes(name))
        if (unknown !== undefined) throw undeclaredCapability(id, unknown)
        return decide(id, { grantedCapabilities: [...new Set(capabilities)].toSorted() })
      }),
    setHealth: (id: string, state: PluginHealth) => {
      const known = health.get(id)
      if (known?.status === state.status && known.message === state.message) return
      const record = recordChanges()
      health.set(id, state)
      record()
    },
  }
}

/** Returns a function that remembers the state; its result records what differs by then. */
function createRecorder({ onChange, version }: RegistryNeeds, list: () => readonly Registered[]) {
  return () => {
    const before = list()
    return () => {
      for (const entry of listChanges(before, list(), version)) onChange(entry)
    }
  }
}

/** Changes run one after the other. */
function createSerial(recordChanges: () => () => void) {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(async () => {
      const record = recordChanges()
      const result = await work()
      record()
      return result
    })
    // The caller of a failed change receives its error.
    last = turn.catch(() => undefined)
    return turn
  }
}

function toDiscovery({ id, source }: Plugin) {
  return {
    event: 'plugin.discovered',
    pluginId: id,
    result: 'ok',
    source: 'plugin-host',
    data: { origin: source },
  } as const
}

function toDefault({ source, manifest }: Plugin, now: string): Decision {
  const isBundled = source === 'bundled'
  return {
    enabled: isBundled,
    grantedCapabilities: isBundled ? listDeclared(manifest).toSorted() : [],
    installedAt: now,
    updatedAt: now,
  }
}

function toPlugin({ manifest, contents }: BundledPlugin): Plugin {
  return {
    source: 'bundled',
    id: manifest.id,
    manifest,
    validationErrors: listBrokenRules(manifest, 'bundled'),
    readContent: async ({ id }) => (await contents[id]?.()) ?? '',
  }
}
