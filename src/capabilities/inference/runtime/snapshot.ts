import type { Host } from '../../../kernel/host/host.ts'
import type { Log } from '../../../kernel/log/log.ts'
import { findProgram } from '../../../kernel/process/find-program.ts'
import type { InferenceConfig, TargetConfig } from '../config/config.ts'
import type { AccountState } from '../decision/gates.ts'
import type { Executor } from '../targets/target.ts'
import { type CredentialNeeds, isLoginBacked, readCredential } from './credential.ts'

/** What can be known about a target without a call. */
interface TargetFacts {
  readonly accountState: AccountState
  /** Why it cannot run; undefined if it can. */
  readonly unavailableReason: string | undefined
}

export interface SnapshotNeeds extends CredentialNeeds {
  readonly host: Pick<Host, 'now'>
  readonly log: Pick<Log, 'warn'>
  readonly variables: () => Readonly<Record<string, string>>
  /** The credential of an account differs from the one before. */
  readonly onNewCredential: (target: TargetConfig) => void
}

export interface Snapshots {
  /** At most 15 s old unless `refresh` is true. One rebuild at a time. */
  update(config: InferenceConfig, refresh?: boolean): Promise<void>
  /** Undefined before the first update. */
  read(targetId: string): TargetFacts | undefined
  clear(): void
}

const cacheMs = 15_000
const programs: Readonly<Partial<Record<Executor, string>>> = {
  'claude-code': 'claude',
  codex: 'codex',
  opencode: 'opencode',
}

export function createSnapshots(needs: SnapshotNeeds): Snapshots {
  const lastValues = new Map<string, string>()
  const state: {
    facts: ReadonlyMap<string, TargetFacts>
    builtAt?: number | undefined
    building?: Promise<void> | undefined
  } = { facts: new Map() }
  const build = async (config: InferenceConfig) => {
    const builtAt = needs.host.now().getTime()
    const accounts = await readAccounts(needs, config, lastValues)
    const entries = [...config.targets.values()].map(async (target) => {
      const facts = {
        accountState: toAccountState(target, accounts),
        unavailableReason: await findProblem(target, needs.variables()),
      }
      return [target.id, facts] as const
    })
    state.facts = new Map(await Promise.all(entries))
    // A login ends at any time, and its calls must not wait for the next snapshot.
    const isLoginMissing = [...config.accounts].some(
      ([id, account]) => accounts.get(id) === 'missing' && isLoginBacked(config, account),
    )
    state.builtAt = isLoginMissing ? undefined : builtAt
  }
  return {
    update: async (config, refresh = false) => {
      const isFresh =
        state.builtAt !== undefined && needs.host.now().getTime() - state.builtAt < cacheMs
      if (isFresh && !refresh) return
      state.building ??= build(config).finally(() => {
        state.building = undefined
      })
      await state.building
    },
    read: (targetId) => state.facts.get(targetId),
    clear: () => {
      delete state.builtAt
    },
  }
}

async function readAccounts(
  needs: SnapshotNeeds,
  config: InferenceConfig,
  lastValues: Map<string, string>,
): Promise<ReadonlyMap<string, AccountState>> {
  const used = new Map([...config.targets.values()].map((target) => [target.account, target]))
  const entries = [...config.accounts].map(async ([id, account]) => {
    const value = await readQuietly(needs, config, id)
    const target = used.get(id)
    if (typeof value !== 'string') {
      // A program may sign in by itself.
      const isOfProgram = account.kind === 'subscription_session' && !account.credentialRef
      const isForeign = isOfProgram && !isLoginBacked(config, account)
      return [id, value === null || isForeign ? 'unknown' : 'missing'] as const
    }
    const last = lastValues.get(id)
    if (target && last !== undefined && last !== value) needs.onNewCredential(target)
    lastValues.set(id, value)
    return [id, 'ready'] as const
  })
  return new Map(await Promise.all(entries))
}

/** Null if a store fails. */
async function readQuietly(
  needs: SnapshotNeeds,
  config: InferenceConfig,
  id: string,
): Promise<string | null | undefined> {
  const account = config.accounts.get(id)
  try {
    return account && (await readCredential(needs, config, account))
  } catch (error) {
    needs.log.warn({ err: error, account: id }, 'credential read failed')
    return null
  }
}

function toAccountState(
  { account }: TargetConfig,
  accounts: ReadonlyMap<string, AccountState>,
): AccountState {
  return account === undefined ? 'ready' : (accounts.get(account) ?? 'missing')
}

async function findProblem(
  { executor, command }: TargetConfig,
  variables: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const name = executor === 'command' ? command?.bin : programs[executor]
  if (name === undefined || (await findProgram(name, variables))) return undefined
  return `The program ${name} is not installed.`
}
