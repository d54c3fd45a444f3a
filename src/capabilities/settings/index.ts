import type { SettingsNeeds } from './needs.ts'
import { settingsRoutes } from './routes.ts'

export const settingsModule = { name: 'settings' } as const

export function createSettings(needs: SettingsNeeds) {
  return { routes: settingsRoutes(needs) }
}
