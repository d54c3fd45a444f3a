import { launchd } from './launchd.ts'
import type { ServiceManager, ServicePlaces } from './service-manager.ts'
import { systemd } from './systemd.ts'
import { taskScheduler } from './task-scheduler.ts'

/** Undefined on a platform without a supported service manager. */
export function findManager(
  places: ServicePlaces,
  platform: NodeJS.Platform = process.platform,
): ServiceManager | undefined {
  if (platform === 'linux') return systemd(places)
  if (platform === 'darwin') return launchd(places)
  return platform === 'win32' ? taskScheduler(places) : undefined
}
