import { fileURLToPath } from 'node:url'

/** A program of the package. Sources are two folders below its root, builds are three. */
export function findBinary(name: string): string {
  const root = import.meta.url.endsWith('.ts') ? '../../' : '../../../'
  return fileURLToPath(new URL(`${root}bin/${name}`, import.meta.url))
}
