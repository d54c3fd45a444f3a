import type {
  AgentRemoval,
  BackgroundWorker,
  Capability,
  EvidenceDependant,
} from '../kernel/capability/capability.ts'
import type { DomainCheck } from '../kernel/capability/domain.ts'
import { createExtensionPoint, type ExtensionPoint } from '../kernel/capability/extension-point.ts'
import type { RepairAction } from '../kernel/capability/repair.ts'
import type { HealthCheck } from '../kernel/health/health.ts'
import type { Route } from '../kernel/http/route.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'

/** The contributions of the kernel itself. */
interface KernelContributions {
  readonly checks: readonly HealthCheck[]
  readonly domains: readonly DomainCheck[]
  readonly repairs: readonly RepairAction[]
  readonly workers: readonly BackgroundWorker[]
}

/** The lists that the daemon collects from all capabilities. */
export function createContributions() {
  const points = {
    removals: createExtensionPoint<AgentRemoval>('agents.removals'),
    evidenceDependants: createExtensionPoint<EvidenceDependant>('evidence.dependants'),
    checks: createExtensionPoint<HealthCheck>('health.checks'),
    domains: createExtensionPoint<DomainCheck>('diagnostics.domains'),
    repairs: createExtensionPoint<RepairAction>('repair.actions'),
    workers: createExtensionPoint<BackgroundWorker>('pipeline.workers'),
    operations: createExtensionPoint<Route>('http.operations'),
  }
  return {
    points,
    /** Adds the contributions of all capabilities and seals the lists. */
    collect: (capabilities: readonly Capability[], kernel: KernelContributions): void => {
      const select = <Member>(read: (each: Capability) => readonly Member[] | Member | undefined) =>
        capabilities.flatMap((each) => read(each) ?? []) as Member[]
      addAll(points.checks, [...kernel.checks, ...select(({ health }) => health)])
      addAll(points.domains, [...kernel.domains, ...select(({ diagnostics }) => diagnostics)])
      addAll(points.repairs, [...select(({ repairs }) => repairs), ...kernel.repairs])
      addAll(points.workers, [...kernel.workers, ...select(({ workers }) => workers)])
      addAll(
        points.operations,
        select(({ routes }) => routes),
      )
      addAll(
        points.removals,
        select(({ agentRemoval }) => agentRemoval),
      )
      addAll(
        points.evidenceDependants,
        select(({ evidenceDependant }) => evidenceDependant),
      )
      for (const point of Object.values(points)) point.seal()
    },
  }
}

function addAll<Member>(
  point: Pick<ExtensionPoint<Member>, 'add'>,
  members: readonly Member[],
): void {
  for (const member of members) point.add(member)
}

export function jobsWorker(jobs: Pick<Jobs, 'running' | 'wake'>): BackgroundWorker {
  return {
    name: 'jobs',
    status: async () => ({ running: true, details: { runningJobs: jobs.running() } }),
    wake: jobs.wake,
  }
}
