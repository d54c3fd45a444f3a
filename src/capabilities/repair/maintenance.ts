import { isRepairName, type RepairName } from './actions.ts'
import type { RepairNeeds } from './needs.ts'
import type { Actor } from './repair-run.ts'
import type { RepairRunner } from './run-repair.ts'
import { deleteEndedBefore } from './store/runs.ts'

type MaintenanceNeeds = RepairNeeds & { readonly runner: RepairRunner }

const retentionMs = 90 * 86_400_000
const command = /^reverie repair (?<name>[a-z-]+)/

/** Runs the retention sweep as the daemon, and deletes old runs. */
export async function sweep(needs: MaintenanceNeeds): Promise<void> {
  const { db, host } = needs
  await deleteEndedBefore(db, new Date(host.now().getTime() - retentionMs).toISOString())
  // A sweep that reaches its budget continues after its cooldown.
  await runAsDaemon(needs, 'retention-sweep', 'scheduled sweep')
}

/** Runs the repairs that the findings of diagnostics name, or logs them. */
export async function maintain(needs: MaintenanceNeeds): Promise<void> {
  const { maintenanceMode, frozen } = needs.settings().autonomous
  const names = await listNeeded(needs)
  if (names.length === 0) return
  if (maintenanceMode === 'observe' || frozen)
    return needs.log.info({ repairs: names }, 'maintenance found repairs')
  for (const name of names) await runAsDaemon(needs, name, 'autonomous maintenance')
}

async function listNeeded({ report }: MaintenanceNeeds): Promise<readonly RepairName[]> {
  const { domains } = await report()
  const reasons = [...domains.values()].flatMap((domain) => domain.reasons)
  // A preview is for people, who decide.
  const commands = reasons.flatMap(({ fix }) => (fix?.command.endsWith('--dry-run') ? [] : fix))
  const names = commands.map((fix) => command.exec(fix?.command ?? '')?.groups?.['name'] ?? '')
  return [...new Set(names.filter(isRepairName))]
}

async function runAsDaemon(
  { host, log, runner }: MaintenanceNeeds,
  name: RepairName,
  reason: string,
): Promise<void> {
  const actor: Actor = {
    name: 'daemon',
    type: 'daemon',
    reason,
    requestId: host.newId(),
    agentId: 'default',
  }
  const input = name === 'check-fts' ? { repair: true } : {}
  const result = await runner.run({ name, actor, input, dryRun: false })
  if (result.status !== 'ended') return
  const { affected, message, state } = result.run
  log.info({ repair: name, state, affected, message }, 'repair ended')
}
