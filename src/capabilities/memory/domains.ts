import { type DomainCheck, type DomainFinding, toFindings } from '../../kernel/capability/domain.ts'
import { toCount } from '../../kernel/errors/to-count.ts'
import { createMeasurement } from '../../kernel/host/measurement.ts'
import { placeholder } from '../../kernel/redaction/redact.ts'
import type { MemoryNeeds } from './needs.ts'
import { countDuplicates } from './store/duplicates.ts'
import {
  countHolding,
  countIndexed,
  countRecentChanges,
  readDatabaseSize,
} from './store/figures.ts'
import { countMemories } from './store/lists.ts'

type DomainNeeds = Pick<MemoryNeeds, 'background' | 'db' | 'host'>

/** Figures that scan tables are measured this often. */
const measureEveryMs = 600_000
const weekMs = 7 * 86_400_000

const checkIndex = {
  command: 'reverie repair check-fts --repair',
  route: 'POST /api/repair/check-fts',
}

/** Limits of the contract. */
const maxDeletedShare = 0.3
const maxRecovers = 5
const highDuplicateRatio = 0.1
const minDuplicateRatio = 0.05
const maxIndexRatio = 1.1

/** The domains storage, mutation, duplicate and the text part of index. */
export function createMemoryDomains({ db, background = db, host }: DomainNeeds) {
  const duplicates = createMeasurement(host, () => countDuplicates(background))
  const index = createMeasurement(host, () => countIndexed(background))
  const diagnostics: readonly DomainCheck[] = [
    { domain: 'storage', weight: 0.1, check: () => checkStorage(background) },
    { domain: 'mutation', weight: 0.08, check: () => checkMutation(background, host.now()) },
    {
      domain: 'duplicate',
      weight: 0.04,
      check: async () => {
        const { value, measuredAt } = await duplicates.read()
        return toDuplicateResult(value, measuredAt)
      },
    },
    {
      domain: 'index',
      weight: 0.15,
      check: async () => {
        const { value, measuredAt } = await index.read()
        return toIndexResult(value, measuredAt)
      },
    },
  ]
  const redacted = createMeasurement(host, () => countHolding(background, placeholder))
  const measure = () => Promise.all([duplicates.refresh(), index.refresh(), redacted.refresh()])
  const contentSafety = async () => {
    const { value, measuredAt } = await redacted.read()
    return { memories: value.total, redacted: value.holding, countedAt: measuredAt }
  }
  const schedule = { name: 'memory.measure', everyMs: measureEveryMs, run: measure }
  return { contentSafety, diagnostics, schedule }
}

async function checkStorage(db: MemoryNeeds['db']) {
  const [{ live, deleted }, dbSizeBytes] = await Promise.all([
    countMemories(db),
    readDatabaseSize(db),
  ])
  const totalMemories = live + deleted
  const share = deleted / Math.max(1, totalMemories)
  const detail = `${deleted} of ${totalMemories} stored memories are deleted; they are purged after 30 days`
  return {
    fields: { totalMemories, deletedTombstones: deleted, dbSizeBytes },
    findings: toFindings([
      share > maxDeletedShare && { code: 'tombstones', penalty: 0.3, detail, fix: null },
    ]),
  }
}

async function checkMutation(db: MemoryNeeds['db'], now: Date) {
  const since = new Date(now.getTime() - weekMs).toISOString()
  const { recovers, deletes } = await countRecentChanges(db, since)
  const detail = `${toCount(recovers, 'restored memory')} in seven days`
  const fix = { command: 'reverie list --limit 50', route: 'GET /api/memories' }
  return {
    fields: { recentRecovers: recovers, recentDeletes: deletes },
    findings: toFindings([
      recovers > maxRecovers && { code: 'recovers', penalty: 0.3, detail, fix },
    ]),
  }
}

function toDuplicateResult(
  figures: Awaited<ReturnType<typeof countDuplicates>>,
  measuredAt: string,
) {
  const { exactDuplicates, totalActive } = figures
  const duplicateRatio = exactDuplicates / Math.max(1, totalActive)
  const finding: DomainFinding = {
    code: 'duplicates',
    penalty: duplicateRatio > highDuplicateRatio ? 0.5 : 0.3,
    detail: `${exactDuplicates} of ${totalActive} memories repeat the content of another one`,
    fix: { command: 'reverie repair deduplicate --dry-run', route: 'POST /api/repair/deduplicate' },
  }
  return {
    fields: { ...figures, duplicateRatio, countedAt: measuredAt },
    findings: duplicateRatio > minDuplicateRatio ? [finding] : [],
  }
}

function toIndexResult(
  { indexed, live }: Awaited<ReturnType<typeof countIndexed>>,
  measuredAt: string,
) {
  const ftsMismatch = indexed > live * maxIndexRatio
  const detail = `the text index has ${indexed} rows for ${live} memories`
  return {
    fields: {
      ftsRowCount: indexed,
      memoriesRowCount: live,
      ftsMismatch,
      indexNeedsRepair: ftsMismatch,
      countedAt: measuredAt,
    },
    findings: toFindings([
      ftsMismatch && { code: 'fts_mismatch', penalty: 0.5, detail, fix: checkIndex },
    ]),
  }
}
