import { z } from 'zod'
import * as read from '../../kernel/http/wire-values.ts'

const column = z.object({
  cid: z.int(),
  name: z.string(),
  type: z.string(),
  notNull: z.boolean(),
  defaultValue: z.string().nullable(),
  primaryKey: z.boolean(),
})

const index = z.object({
  name: z.string(),
  unique: z.boolean(),
  origin: z.string(),
  partial: z.boolean(),
  columns: z.array(
    z.object({ seqno: z.int(), cid: z.int().nullable(), name: z.string().nullable() }),
  ),
})

const foreignKey = z.object({
  id: z.int(),
  seq: z.int(),
  table: z.string(),
  from: z.string(),
  to: z.string().nullable(),
  onUpdate: z.string(),
  onDelete: z.string(),
  match: z.string(),
})

const groupNames = ['core', 'provenance', 'runtime', 'internal', 'other'] as const

export const schemaReply = z.object({
  generatedAt: z.string(),
  groups: z.record(z.enum(groupNames), z.int()),
  tables: z.array(
    z.object({
      name: z.string(),
      group: z.enum(groupNames),
      kind: z.enum(['table', 'view']),
      /** Null above 1,000,000, or if it cannot be counted. */
      rowCount: z.int().nullable(),
      rowCountAtLeast: z.int().optional(),
      sampleAllowed: z.boolean(),
      sampleBlockedReason: z.string().optional(),
      columns: z.array(column),
      indexes: z.array(index),
      foreignKeys: z.array(foreignKey),
      sql: z.string().nullable(),
    }),
  ),
})

export const sampleQuery = z.object({
  limit: read.integer('limit', { min: 1, max: 100, default: 25 }),
  offset: read.integer('offset', { min: 0, max: 100_000, default: 0 }),
})

export const sampleReply = z.object({
  table: z.string(),
  columns: z.array(z.string()),
  /** Texts have at most 2,000 characters and no credentials. */
  rows: z.array(z.record(z.string(), z.unknown())),
  limit: z.int(),
  offset: z.int(),
  rowCount: z.int().nullable(),
  hasMore: z.boolean(),
})
