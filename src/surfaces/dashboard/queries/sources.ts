import type { Dictionary } from '../i18n/en.ts'

interface IndexJob {
  readonly status: string
  readonly scanned: number
  readonly total: number
  readonly indexed: number
  readonly error?: string | null
}

export interface Source {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly root: string
  readonly enabled: boolean
  readonly lastIndexedAt?: string | null
  readonly stats?: { readonly artifacts: number; readonly chunks: number }
  readonly health?: { readonly status: string }
  readonly indexJob?: IndexJob | null
}

export interface SecretList {
  readonly secrets: readonly string[]
}

export interface SourceList {
  readonly sources: readonly Source[]
}

export interface SourceDetail {
  readonly source: Source
  readonly runs: readonly (IndexJob & { readonly id: string; readonly queuedAt: string })[]
}

export interface SourceHealth {
  readonly health: {
    readonly status: string
    readonly chunkCoverage: number
    readonly failures: { readonly total: number; readonly recoverable: number }
    readonly error?: string
    readonly permission: {
      readonly issues: readonly { readonly path: string; readonly guidance: string }[]
    }
  }
}

export interface Document {
  readonly id: string
  readonly title: string | null
  readonly source_type: string
  readonly source_url: string | null
  readonly content_type: string | null
  readonly status: string
  readonly error: string | null
  readonly chunk_count: number
  readonly memory_count: number
  readonly created_at: string
}

export interface DocumentList {
  readonly documents: readonly Document[]
  readonly total: number
}

export interface Chunks {
  readonly chunks: readonly { readonly id: string; readonly content: string }[]
}

/** Each has its words. */
export type ImportState = keyof Dictionary['sources']['importStates']

/** `total` is the sum of the four counts after it. */
export interface Import {
  readonly id: string
  readonly state: ImportState
  readonly total: number
  readonly imported: number
  readonly duplicate: number
  readonly rejected: number
  readonly pending: number
  readonly error: string | null
  readonly created_at: string
  readonly completed_at: string | null
}

export interface ImportFile {
  readonly id: string
  readonly name: string
  readonly size_bytes: number | null
  readonly state: string
  readonly record_count: number | null
  readonly malformed_count: number
  readonly error: string | null
}

export interface ImportDetail {
  readonly job: Import
  readonly files: readonly ImportFile[]
}

export interface CreatedImport {
  readonly id: string
  readonly files: readonly { readonly id: string }[]
}

export interface Rejections {
  readonly rejections: readonly {
    readonly id: string
    readonly file_id: string
    readonly line_number: number
    readonly rejection_code: string | null
  }[]
  readonly nextCursor: string | null
}

export interface DeletedSource {
  readonly purged: Readonly<Record<string, number>>
}

export interface RestoredSource {
  readonly imported: number
}

export interface ImportList {
  readonly imports: readonly Import[]
}
