import type { Maintenance } from '../database.ts'
import type { Lane } from './lane.ts'
import type { Thread } from './thread.ts'
import type { TakeTurn } from './turns.ts'

/** A few milliseconds of work: how long a write may have to wait for it. */
const pagesPerTurn = 256
/** 64 MiB of 4 KiB pages; what is left waits for the next call. */
const turnsPerCall = 64

export async function maintain(writer: Lane, takeTurn: TakeTurn): Promise<Maintenance> {
  const between = async <Value>(work: (thread: Thread) => Promise<Value>): Promise<Value> => {
    const endTurn = await takeTurn()
    try {
      return await work(await writer.thread())
    } finally {
      endTurn()
    }
  }
  let pagesFreed = 0
  for (let turn = 0; turn < turnsPerCall; turn++) {
    const freed = await between(freePages)
    if (freed === 0) break
    pagesFreed += freed
  }
  return { pagesFreed, walPages: await between(foldLog) }
}

async function freePages(thread: Thread): Promise<number> {
  const before = await readNumber(thread, 'freelist_count')
  if (before === 0) return 0
  await thread.run(`pragma incremental_vacuum(${pagesPerTurn})`)
  return before - (await readNumber(thread, 'freelist_count'))
}

/** Passive: it folds what no reader holds and waits for nobody, so neither does the next write. */
async function foldLog(thread: Thread): Promise<number> {
  const { rows } = await thread.run('pragma wal_checkpoint(passive)')
  const [[, log, checkpointed]] = rows as [[busy: number, log: number, checkpointed: number]]
  return log - checkpointed
}

async function readNumber(thread: Thread, pragma: string): Promise<number> {
  const { rows } = await thread.run(`pragma ${pragma}`)
  const [[value]] = rows as [[number]]
  return value
}
