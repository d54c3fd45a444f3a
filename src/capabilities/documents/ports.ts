import type { Caller } from '../../kernel/auth/caller.ts'

/**
 * Knows the connectors that a document may name: those of the agent of the caller. The order of
 * members does not matter. A member that throws fails the request.
 */
export interface ConnectorsPort {
  exists(caller: Caller, connectorId: string): Promise<boolean>
}
