import type { InferenceConfig, TargetConfig } from '../config/config.ts'
import { type CredentialNeeds, isLoginBacked, readCredential } from '../runtime/credential.ts'
import { type CreateTarget, type Target, TargetError, type TargetNeeds } from '../targets/target.ts'

/** A target that is ready for one call, with the credential that it uses. */
interface PreparedTarget {
  readonly target: Target
  readonly credentials: readonly string[]
}

export interface Targets {
  /** Throws a `TargetError` if the account of the target has no credential. */
  prepare(config: InferenceConfig, settings: TargetConfig): Promise<PreparedTarget>
}

interface TargetsNeeds
  extends CredentialNeeds,
    Pick<TargetNeeds, 'outbound' | 'host' | 'children'> {
  readonly daemonUrl: () => string
  readonly createTarget: CreateTarget
  readonly variables: () => Readonly<Record<string, string>>
  readonly pass: () => readonly string[]
}

export const missingCredential = 'The account of the target has no credential.'

/** Creates each target once for each state of its settings. */
export function createTargets(needs: TargetsNeeds): Targets {
  const targets = new WeakMap<TargetConfig, Promise<Target>>()
  const create = async (config: InferenceConfig, settings: TargetConfig): Promise<Target> => {
    const { outbound, host, children, daemonUrl, variables, pass } = needs
    return await needs.createTarget({
      settings,
      credential: () => findCredential(needs, config, settings),
      outbound,
      host,
      children,
      daemonUrl: daemonUrl(),
      variables: variables(),
      pass: pass(),
    })
  }
  return {
    prepare: async (config, settings) => {
      const credential = await findCredential(needs, config, settings)
      if (credential === undefined && requiresCredential(config, settings))
        throw new TargetError(missingCredential, {
          kind: 'runtime_unavailable',
          explanation: `Target ${settings.id} has no credential. Set the variable or the secret that the credentialRef of account ${settings.account} names, or sign in with \`reverie inference login\``,
        })
      const target = targets.get(settings) ?? create(config, settings)
      targets.set(settings, target)
      // A failed load is tried again.
      target.catch(() => targets.delete(settings))
      return { target: await target, credentials: credential === undefined ? [] : [credential] }
    },
  }
}

async function findCredential(
  needs: CredentialNeeds,
  config: InferenceConfig,
  { account: id = '' }: TargetConfig,
): Promise<string | undefined> {
  const account = config.accounts.get(id)
  return account && (await readCredential(needs, config, account))
}

/** The account of a program that signs in by itself has none. */
function requiresCredential(config: InferenceConfig, { account: id }: TargetConfig): boolean {
  if (id === undefined) return false
  const account = config.accounts.get(id)
  if (!account || isLoginBacked(config, account)) return true
  return account.kind === 'api' || account.credentialRef !== undefined
}
