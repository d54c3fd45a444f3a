import { spawnSync } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

const apart = ['--user', '--map-root-user', '--mount']

/** Whether the user may mount in a private namespace; containers often forbid it. */
export function canMount(): boolean {
  const mount = 'mount -t tmpfs -o size=1m tmpfs /tmp'
  return spawnSync('unshare', [...apart, 'sh', '-c', mount]).status === 0
}

/**
 * Shell words that run a command with a disk of this size under its database, visible to it alone.
 */
export function onSmallDisk(mebibytes: number): string {
  const mount = `mount -t tmpfs -o size=${mebibytes}m tmpfs "$SVC_PATH/memory"`
  return `mkdir -p "$SVC_PATH/memory"; exec unshare ${apart.join(' ')} sh -c '${mount} && exec "$@"' sh "$@";`
}

/** Shell words that run what follows with its workspace on a disk that has only this much free space. */
export function onFullDisk(freeKibibytes: number): string {
  const steps = [
    'mount -t tmpfs -o size=64m tmpfs /mnt',
    'cp -a "$SVC_PATH/." /mnt',
    'mount --bind /mnt "$SVC_PATH"',
    '{ dd if=/dev/zero of="$SVC_PATH/filler" bs=4k 2>/dev/null; true; }',
    `truncate -s -${freeKibibytes}K "$SVC_PATH/filler"`,
    'exec "$@"',
  ]
  return `exec unshare ${apart.join(' ')} sh -c '${steps.join(' && ')}' sh "$@";`
}

export function resizeDisk(pid: number, workspace: string, mebibytes: number): void {
  const folder = join(workspace, 'memory')
  const into = ['--target', String(pid), '--user', '--mount', '--preserve-credentials']
  const words = ['mount', '-o', `remount,size=${mebibytes}m`, folder]
  const { status, stderr } = spawnSync('nsenter', [...into, ...words])
  if (status !== 0) throw new Error(`The disk keeps its size: ${stderr}`)
}

/** Reads the private disk of a process as a workspace. */
export async function copyDisk(pid: number, workspace: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true })
  await cp(join(`/proc/${pid}/root`, workspace, 'memory'), join(into, 'memory'), {
    recursive: true,
  })
}
