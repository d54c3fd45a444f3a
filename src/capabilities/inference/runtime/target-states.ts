import type { Host } from '../../../kernel/host/host.ts'
import type { Log } from '../../../kernel/log/log.ts'
import type { Outbound } from '../../../kernel/outbound/outbound.ts'
import type { InferenceConfig, TargetConfig } from '../config/config.ts'
import type { TargetState } from '../decision/gates.ts'
import type { TargetError } from '../targets/target.ts'
import { createAccountStates } from './account-states.ts'
import { createCircuits } from './circuit.ts'
import type { CredentialNeeds } from './credential.ts'
import type { LiveSettings } from './live-settings.ts'
import { observeFailure, observeSuccess } from './observe.ts'
import { createLocalProbes } from './probe-local.ts'
import { createSnapshots } from './snapshot.ts'

export interface RuntimeNeeds extends CredentialNeeds {
  readonly host: Host
  readonly log: Log
  readonly outbound: Pick<Outbound, 'open'>
  readonly settings: LiveSettings
  readonly variables: () => Readonly<Record<string, string>>
}

export type TargetStates = ReturnType<typeof createTargetStates>

/** What the daemon knows about its targets: facts, probes and observations of calls. */
export function createTargetStates(needs: RuntimeNeeds) {
  const { host, log, outbound, settings, credentials, peekLogin, variables } = needs
  const accounts = createAccountStates(host)
  const circuits = createCircuits(host)
  const observers = { accounts, circuits }
  const probes = createLocalProbes({ host, outbound })
  const onNewCredential = (target: TargetConfig) => accounts.clear(target)
  const facts = { host, log, credentials, readLogin: peekLogin, variables, onNewCredential }
  const snapshots = createSnapshots(facts)
  settings.onChange(() => {
    snapshots.clear()
    accounts.clearAll()
    circuits.clearAll()
  })
  return {
    /** Called before each decision. */
    update: async (config: InferenceConfig, refresh?: boolean) => {
      probes.start(config.targets.values())
      await snapshots.update(config, refresh)
    },
    read: (config: InferenceConfig, ref: string): TargetState => {
      const target = config.models.get(ref)?.target
      if (!target) return unavailable('The target is not defined.')
      const { accountState = 'unknown', unavailableReason } = snapshots.read(target.id) ?? {}
      const observed = accounts.read(target)
      const isUp = probes.isUp(target.id)
      const reason = unavailableReason ?? (isUp ? undefined : 'The local server does not answer.')
      return {
        available: unavailableReason === undefined,
        health: toHealth(observed, isUp),
        circuitOpen: circuits.isOpen(target.id),
        accountState: observed ?? accountState,
        ...(reason !== undefined && { unavailableReason: reason }),
      }
    },
    begin: (target: TargetConfig) => circuits.begin(target.id),
    succeeded: (target: TargetConfig) => observeSuccess(observers, target),
    failed: (target: TargetConfig, error: TargetError) => observeFailure(observers, target, error),
    credentialMissing: (target: TargetConfig) => accounts.mark(target, 'missing'),
    settled: () => probes.settled(),
  }
}

function toHealth(
  observed: TargetState['accountState'] | undefined,
  isUp: boolean,
): TargetState['health'] {
  if (observed === 'expired') return 'blocked'
  return observed === 'rate_limited' || !isUp ? 'degraded' : 'healthy'
}

function unavailable(unavailableReason: string): TargetState {
  const accountState = 'unknown'
  return {
    available: false,
    health: 'blocked',
    circuitOpen: false,
    accountState,
    unavailableReason,
  }
}
