import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/database.ts'
import { type RowKey, rewritePage, type TextRows } from '../db/rewrite-texts.ts'
import { hasCode } from '../errors/system-error.ts'
import { replaceFile } from '../files/replace-file.ts'
import { findPosition, type SavedPosition, savePosition } from './store/upgrade-tasks.ts'

/** The key of the last item that the task processed. */
type Position = RowKey

/** Upgrades data of earlier versions in batches, in the background after the start. */
export interface UpgradeTask {
  readonly id: string
  /** Where the progress is stored: in the database, or in the workspace's `.daemon` folder. */
  readonly data: 'database' | 'workspace'
  /**
   * Processes the batch after the position and returns the next one; undefined after the last
   * batch.
   * An unchanged position means that the task waits for the next run.
   */
  run(after: Position | undefined): Promise<Position | undefined>
}

export interface UpgradeNeeds {
  readonly db: Db
  /** The workspace folder. */
  readonly folder: string
}

const batchesPerRun = 50
/** Small, because a row or file may contain a long text. */
const batchSize = 20

/** Creates a task that rewrites all rows of a table. */
export function createRowsTask(db: Db, rows: TextRows & { readonly id: string }): UpgradeTask {
  const run = (after: Position | undefined) => rewritePage(db, rows, { after, limit: batchSize })
  return { id: rows.id, data: 'database', run }
}

export interface FilesTask {
  readonly id: string
  /** Returns paths within the workspace. */
  list(): Promise<readonly string[]>
  rewrite(path: string): Promise<void>
}

/** Creates a task that rewrites files in path order. */
export function createFilesTask({ id, list, rewrite }: FilesTask): UpgradeTask {
  const run = async (after: Position | undefined): Promise<Position | undefined> => {
    const paths = (await list()).filter((path) => path > String(after?.[0] ?? '')).toSorted()
    const batch = paths.slice(0, batchSize)
    for (const path of batch) await rewrite(path)
    return batch.length < paths.length ? batch.slice(-1) : undefined
  }
  return { id, data: 'workspace', run }
}

/**
 * Resumes the tasks at their saved positions; a batch may run twice. Returns whether all are
 * complete.
 * A failing task stops no other task.
 */
export function createUpgradeTasks(needs: UpgradeNeeds, tasks: readonly UpgradeTask[]) {
  const pending = new Set(tasks)
  return async (signal?: AbortSignal): Promise<boolean> => {
    const errors: unknown[] = []
    for (const task of pending) {
      try {
        if (await runTask(needs, task, signal)) pending.delete(task)
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
    return pending.size === 0
  }
}

async function runTask(
  needs: UpgradeNeeds,
  task: UpgradeTask,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const progress = task.data === 'database' ? inDatabase(needs, task.id) : inFile(needs, task.id)
  let position = await progress.read()
  for (let batch = 0; position !== null && batch < batchesPerRun; batch++) {
    if (signal?.aborted) return false
    const before = JSON.stringify(position)
    position = (await task.run(position)) ?? null
    if (JSON.stringify(position) === before) return false
    await progress.save(position)
  }
  return position === null
}

interface Progress {
  read(): Promise<SavedPosition>
  save(position: SavedPosition): Promise<void>
}

function inDatabase({ db }: UpgradeNeeds, id: string): Progress {
  return { read: () => findPosition(db, id), save: (position) => savePosition(db, id, position) }
}

function inFile({ folder }: UpgradeNeeds, id: string): Progress {
  const file = join(folder, '.daemon', 'upgrade-tasks.json')
  const readAll = async (): Promise<Record<string, SavedPosition>> => {
    try {
      return JSON.parse(await readFile(file, 'utf8'))
    } catch (error) {
      if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return {}
      throw error
    }
  }
  return {
    read: async () => (await readAll())[id],
    save: async (position) =>
      replaceFile(file, `${JSON.stringify({ ...(await readAll()), [id]: position })}\n`),
  }
}
