import type { Maintenance } from '../database.ts'
import type { Mutex } from './mutex.ts'
import type { Thread } from './thread.ts'
import type { WorkerSlot } from './worker-slot.ts'

/** A few milliseconds of work: how long a write may have to wait for it. */
const pagesPerStep = 256
/** 64 MiB of 4 KiB pages; what is left waits for the next call. */
const maxSteps = 64

export async function maintain(writer: WorkerSlot, acquireWriter: Mutex): Promise<Maintenance> {
  const withWriter = async <Value>(work: (thread: Thread) => Promise<Value>): Promise<Value> => {
    const release = await acquireWriter()
    try {
      return await work(await writer.thread())
    } finally {
      release()
    }
  }
  let pagesFreed = 0
  for (let step = 0; step < maxSteps; step++) {
    const freed = await withWriter(freePages)
    if (freed === 0) break
    pagesFreed += freed
  }
  return { pagesFreed, walPages: await withWriter(checkpoint) }
}

async function freePages(thread: Thread): Promise<number> {
  const before = await readNumber(thread, 'freelist_count')
  if (before === 0) return 0
  await thread.run(`pragma incremental_vacuum(${pagesPerStep})`)
  return before - (await readNumber(thread, 'freelist_count'))
}

/** Passive: it folds what no reader holds and waits for nobody, so neither does the next write. */
async function checkpoint(thread: Thread): Promise<number> {
  const { rows } = await thread.run('pragma wal_checkpoint(passive)')
  const [[, log, checkpointed]] = rows as [[busy: number, log: number, checkpointed: number]]
  return log - checkpointed
}

async function readNumber(thread: Thread, pragma: string): Promise<number> {
  const { rows } = await thread.run(`pragma ${pragma}`)
  const [[value]] = rows as [[number]]
  return value
}
