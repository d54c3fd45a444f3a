import type { GatewayNeeds } from './needs.ts'
import { gatewayRoutes } from './routes.ts'

export const gatewayModule = { name: 'gateway' } as const

export function createGateway(needs: GatewayNeeds) {
  return { routes: gatewayRoutes(needs) }
}
