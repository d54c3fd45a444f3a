import { type HealthCheck, toHealth } from '../health/health.ts'
import type { Database } from './database.ts'

/** A tenth of what a lane holds before it turns callers away. */
const manyWaiting = 1_000

/** How busy the lanes are; whether they answer is asked by a probe. */
export function databaseHealth(database: Pick<Database, 'engine' | 'lanes'>): HealthCheck {
  return {
    name: 'database',
    check: async () => {
      const lanes = database.lanes()
      const reasons = lanes.map(
        ({ name, waiting }) => waiting > manyWaiting && `${waiting} statements wait: ${name}`,
      )
      return toHealth(reasons, { engine: database.engine, lanes })
    },
  }
}
