import { statfs } from 'node:fs/promises'
import type { Db } from '../../../kernel/db/database.ts'
import { importsSettings } from '../config.ts'
import type { ImportsNeeds } from '../needs.ts'
import { conflict } from '../refusals.ts'
import { addReserved } from '../store/files.ts'

const sizeFactor = 3
const overheadBytes = 67_108_864

/** Bytes for the stored chunks, the conversations and their index. */
export function reservationOf(size: number): number {
  return sizeFactor * size + overheadBytes
}

/** The stored chunks of a sealed file are on the disk already. */
export function reservationAfterSeal(size: number): number {
  return (sizeFactor - 1) * size
}

interface Reservation {
  readonly bytes: number
  /** Undefined if unknown. */
  readonly freeBytes: number | undefined
}

/** Reserves disk space in the transaction of the caller. */
export async function reserve(
  { config, log }: Pick<ImportsNeeds, 'config' | 'log'>,
  db: Db,
  { bytes, freeBytes }: Reservation,
): Promise<void> {
  const { minFreeBytes, maxReservedBytes } = config.read(importsSettings)
  const reserved = await addReserved(db, bytes)
  if (maxReservedBytes !== undefined && reserved > maxReservedBytes)
    throw conflict(
      `Uploads would reserve ${reserved} bytes; imports.maxReservedBytes is ${maxReservedBytes}.`,
    )
  if (freeBytes === undefined) log.warn({ bytes }, 'upload admitted with unknown free space')
  else if (freeBytes - reserved < minFreeBytes)
    throw conflict(
      `The upload needs ${bytes} bytes, and ${minFreeBytes} must stay free. Free disk space.`,
    )
}

/** Undefined if the file system reports none, which does not mean full, and for a server. */
export async function readFreeBytes({
  engine,
  workspace,
}: ImportsNeeds['self']): Promise<number | undefined> {
  if (engine === 'postgres') return undefined
  const { blocks, bavail, bsize } = await statfs(workspace)
  return blocks > 0 ? bavail * bsize : undefined
}
