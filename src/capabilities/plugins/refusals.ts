import { Refusal } from '../../kernel/errors/refusal.ts'

export function pluginNotFound(pluginId: string): Refusal {
  const details = { pluginId, status: 'plugin-not-found', missingCapabilities: [] }
  return new Refusal('not_found', 'plugin_not_found', 'Plugin not found', details)
}

export function undeclaredCapability(pluginId: string, capability: string): Refusal {
  const message = `The plugin '${pluginId}' does not declare the capability '${capability}'. Grant declared ones only.`
  return new Refusal('invalid', 'capability_not_declared', message)
}

export function disabledPlugin(pluginId: string): Refusal {
  const details = { pluginId, status: 'plugin-inactive', missingCapabilities: [] }
  const message = `The plugin '${pluginId}' is disabled. Enable it with reverie plugin enable ${pluginId}.`
  return new Refusal('forbidden', 'plugin_disabled', message, details)
}

export function blockedPlugin(pluginId: string, reason = 'it is not ready'): Refusal {
  const details = { pluginId, status: 'plugin-inactive', missingCapabilities: [] }
  const message = `The plugin '${pluginId}' is blocked: ${reason}.`
  return new Refusal('unavailable', 'plugin_blocked', message, details)
}

export function capabilityMissing(
  pluginId: string,
  missingCapabilities: readonly string[],
): Refusal {
  const details = { pluginId, status: 'capability-missing', missingCapabilities }
  const message = `The plugin '${pluginId}' lacks the capability ${missingCapabilities.join(', ')}. Grant it with reverie plugin grant.`
  return new Refusal('forbidden', 'capability_missing', message, details)
}

export function unreadableRegistry(): Refusal {
  const message =
    'The registry of plugins cannot be read. Restore or remove runtime/plugins/registry.json, then restart.'
  return new Refusal('unreadable', 'plugin_registry_unreadable', message)
}
