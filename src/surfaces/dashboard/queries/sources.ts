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
  }
}

export interface Document {
  readonly id: string
  readonly title: string | null
  readonly source_type: string
  readonly source_url: string | null
  readonly content_type: string
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

export interface Import {
  readonly id: string
  readonly status: string
  readonly createdAt?: string
  readonly schemaId?: string | null
}

export interface ImportList {
  readonly imports: readonly Import[]
}
