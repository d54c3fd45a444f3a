import type { Db } from '../../db/database.ts'
import type { Job } from '../job.ts'

/** The stored form of a job. */
type JobRow = Omit<Job, 'payload'> & { readonly payload: string }
type Tables = { jobs: JobRow }

export const tables = (db: Db) => db.withTables<Tables>()

export function toJob(row: JobRow): Job {
  return { ...row, payload: JSON.parse(row.payload) }
}
