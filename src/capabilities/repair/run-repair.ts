import type { RepairAction, RepairInput } from '../../kernel/capability/repair.ts'
import { DatabaseConflict } from '../../kernel/db/database-error.ts'
import { transaction } from '../../kernel/db/transaction.ts'
import { Refusal } from '../../kernel/errors/refusal.ts'
import type { RepairName } from './actions.ts'
import { type Denial, findLimitDenial, findPolicyDenial } from './limiter.ts'
import type { RepairNeeds } from './needs.ts'
import {
  type Actor,
  firstPosition,
  noProgress,
  type Position,
  type Progress,
  type RepairRun,
} from './repair-run.ts'
import { describe, leaseMs, previewSlices, runSlices, type SliceNeeds } from './run-slices.ts'
import {
  findLastEnded,
  findRunning,
  insertRun,
  listRunning,
  takeRun,
  updateOwnRun,
} from './store/runs.ts'

export interface RepairRequest {
  readonly name: RepairName
  readonly actor: Actor
  readonly input: RepairInput
  readonly dryRun: boolean
}

export type RepairResult =
  | { readonly status: 'ended'; readonly run: RepairRun }
  | { readonly status: 'preview'; readonly progress: Progress; readonly message: string }
  | { readonly status: 'denied'; readonly denial: Denial }

export interface RepairRunner {
  run(request: RepairRequest): Promise<RepairResult>
  /** Continues the runs of daemons that died. */
  resume(): Promise<void>
  /** The repairs that run in this daemon. */
  running(): readonly RepairName[]
  /** Aborts the slices and waits for them. */
  stop(): Promise<void>
}

/** Another daemon's repair takes about as long as its slices. */
const inProgressRetryMs = 5_000

export function createRepairRunner(needs: RepairNeeds): RepairRunner {
  const stopping = new AbortController()
  const active = new Map<Promise<RepairRun>, RepairName>()
  const slices: SliceNeeds = { ...needs, owner: needs.host.newId(), signal: stopping.signal }
  /** Continues when its caller disconnects. */
  const execute = async (run: RepairRun): Promise<RepairRun> => {
    const running = runSlices(slices, listParts(needs, run.action), run)
    active.set(running, run.action)
    try {
      return await running
    } finally {
      active.delete(running)
    }
  }
  return {
    run: async (request) => {
      if (request.dryRun) return preview(needs, slices, request)
      assertWritable(needs)
      const start = await begin(needs, slices, request)
      if ('denial' in start) return denied(needs, request, start.denial)
      return { status: 'ended', run: await execute(start.run) }
    },
    resume: async () => {
      for (const run of await listRunning(needs.db)) {
        const now = needs.host.now()
        const isOrphan = isAbandoned(needs, run, { now, owner: slices.owner })
        if (!isOrphan || stopping.signal.aborted) continue
        const takeOver = { owner: slices.owner, leaseUntil: toLease(now) }
        if (!(await takeRun(needs.db, run, takeOver))) continue
        needs.log.info({ repair: run.action, run: run.id }, 'repair continued')
        await execute({ ...run, ...takeOver })
      }
    },
    running: () => [...active.values()],
    stop: async () => {
      stopping.abort()
      await Promise.allSettled(active.keys())
    },
  }
}

async function preview(
  needs: RepairNeeds,
  slices: SliceNeeds,
  { name, actor, input }: RepairRequest,
): Promise<RepairResult> {
  const parts = listParts(needs, name)
  const position = await findStart(needs.db, name, input)
  const progress = await previewSlices(slices, parts, {
    input,
    actor,
    progress: { ...noProgress, position },
  })
  return { status: 'preview', progress, message: describe(parts, progress, true) }
}

function denied(
  { log }: RepairNeeds,
  { name, actor }: RepairRequest,
  denial: Denial,
): RepairResult {
  log.info({ repair: name, code: denial.code, actor: actor.name }, 'repair denied')
  return { status: 'denied', denial }
}

/** The parts of an action, in the order of contribution. */
function listParts({ repairs }: Pick<RepairNeeds, 'repairs'>, name: RepairName): RepairAction[] {
  const parts = repairs.list().filter((action) => action.name === name)
  if (parts.length === 0) throw new Error(`No capability contributes the repair '${name}'.`)
  return parts
}

type StartResult = { readonly run: RepairRun } | { readonly denial: Denial }

/** The check of the limits and the insertion of the run are one transaction. */
async function begin(
  needs: RepairNeeds,
  slices: SliceNeeds,
  request: RepairRequest,
): Promise<StartResult> {
  const { db, host, settings } = needs
  const { name, actor, input } = request
  const now = host.now()
  const policy = findPolicyDenial(settings(), actor, now)
  if (policy) return { denial: policy }
  try {
    return await transaction(db, async (own) => {
      const running = await findRunning(own, name)
      if (running && !isAbandoned(needs, running, { now, owner: slices.owner }))
        return inProgress(name, now)
      const denial = await findLimitDenial(own, needs, { name, now })
      if (denial) return { denial }
      if (running) await interrupt(own, running, now)
      const position = await findStart(own, name, input)
      const run = toNewRun(needs, { request, now, owner: slices.owner, position })
      await insertRun(own, run)
      return { run }
    })
  } catch (error) {
    // Another daemon inserted its run first.
    if (error instanceof DatabaseConflict) return inProgress(name, now)
    throw error
  }
}

function inProgress(name: RepairName, now: Date): StartResult {
  const message = `The repair ${name} is running. Read its progress: GET /api/repair/runs.`
  const retryAt = now.getTime() + inProgressRetryMs
  return { denial: { code: 'in_progress', message, retryAt } }
}

/** Its daemon is dead. With a database of its own, each run of another process is. */
function isAbandoned(needs: RepairNeeds, run: RepairRun, { now, owner }: Observer): boolean {
  if (run.owner === owner) return false
  return needs.exclusive || (run.leaseUntil ?? '') <= now.toISOString()
}

interface Observer {
  readonly now: Date
  /** This daemon. */
  readonly owner: string
}

async function interrupt(db: RepairNeeds['db'], run: RepairRun, now: Date): Promise<void> {
  const at = now.toISOString()
  const message = 'The daemon ended. The next run continues.'
  const ended = { ...run, state: 'interrupted' as const, message, updatedAt: at, endedAt: at }
  await updateOwnRun(db, ended, run.owner ?? '')
}

/** Where the last run with this input ended; the beginning after a complete one. */
async function findStart(
  db: RepairNeeds['db'],
  name: RepairName,
  input: RepairInput,
): Promise<Position> {
  const last = await findLastEnded(db, name)
  const isSame = last !== undefined && JSON.stringify(last.input) === JSON.stringify(input)
  return (isSame && last.position) || firstPosition
}

interface NewRun {
  readonly request: RepairRequest
  readonly now: Date
  readonly owner: string
  readonly position: Position
}

function toNewRun({ host }: RepairNeeds, { request, now, owner, position }: NewRun): RepairRun {
  const at = now.toISOString()
  return {
    id: host.newId(),
    action: request.name,
    state: 'running',
    actor: request.actor,
    input: request.input,
    ...noProgress,
    position,
    message: '',
    owner,
    leaseUntil: toLease(now),
    startedAt: at,
    updatedAt: at,
    endedAt: null,
  }
}

function toLease(now: Date): string {
  return new Date(now.getTime() + leaseMs).toISOString()
}

function assertWritable({ settings }: RepairNeeds): void {
  if (!settings().mutationsFrozen) return
  const message = 'Mutations are frozen (kill switch active)'
  throw new Refusal('unavailable', 'mutations_frozen', message)
}
