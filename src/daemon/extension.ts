import type { createHooks } from '../capabilities/hooks/index.ts'
import { createPlugins } from '../capabilities/plugins/index.ts'
import { createSecrets, secretsPluginId, secretsSettings } from '../capabilities/secrets/index.ts'
import { createSkills, skillsSettings } from '../capabilities/skills/index.ts'
import { readVariables } from '../kernel/config/environment.ts'
import { processSettings } from '../kernel/process/environment.ts'
import type { Kernel } from './kernel.ts'

type Hooks = ReturnType<typeof createHooks>

export function buildPlugins(
  kernel: Kernel,
  { hooks }: { readonly hooks: Pick<Hooks, 'promptContributions'> },
) {
  const { workspace: folder, version } = kernel.self
  const plugins = createPlugins({ ...kernel, folder, version })
  hooks.promptContributions.add(plugins.promptContributions)
  return plugins
}

interface SecretsBuilt {
  readonly hooks: Pick<Hooks, 'secretNames'>
  readonly plugins: Pick<ReturnType<typeof createPlugins>, 'add' | 'audit' | 'createGate'>
}

export function buildSecrets(kernel: Kernel, { hooks, plugins }: SecretsBuilt) {
  const { config, self } = kernel
  const secrets = createSecrets({
    ...kernel,
    audit: plugins.audit,
    gate: plugins.createGate(secretsPluginId),
    version: self.version,
    folder: self.workspace,
    keyFile: () => config.current().secretsKeyFile ?? config.read(secretsSettings).keyFile,
    variables: readVariables,
    pass: () => config.read(processSettings).pass,
  })
  kernel.credentials.stores.add(secrets.credentialStore)
  hooks.secretNames.add(secrets.names)
  plugins.add(secrets.plugin)
  return secrets
}

export function buildSkills(
  kernel: Kernel,
  { hooks }: { readonly hooks: Pick<Hooks, 'skillInvocations'> },
) {
  const { config, self } = kernel
  const skills = createSkills({
    ...kernel,
    folder: self.workspace,
    config: () => config.read(skillsSettings),
    variables: readVariables,
    pass: () => config.read(processSettings).pass,
  })
  hooks.skillInvocations.add(skills.invocations)
  return skills
}
