import type { SecretPolicy } from '../../kernel/redaction/redact-content.ts'

/** The formats whose text is extracted. */
export type Format =
  | 'text'
  | 'markdown'
  | 'json'
  | 'html'
  | 'csv'
  | 'mail'
  | 'pdf'
  | 'sheet'
  | 'doc'
  | 'ppt'
  | 'docx'
  | 'odt'
  | 'odp'
  | 'pptx'
  | 'epub'
  | 'rtf'

/** Why a file has no text. Final for these bytes. */
export type FailureReason =
  | 'unsupported_format'
  | 'encrypted'
  | 'corrupt'
  | 'too_large'
  | 'empty'
  | 'credential_blocked'
  | 'extraction_timeout'
  | 'extraction_crashed'

export type Warning = 'encoding_guessed' | 'truncated'

export interface FileInput {
  readonly bytes: Uint8Array
  /** Its extension is a hint; the bytes decide. */
  readonly fileName?: string | undefined
  /** As a server or a caller has sent it. */
  readonly contentType?: string | undefined
  /** How credentials and private spans of the text are handled; unchanged if absent. */
  readonly secretPolicy?: SecretPolicy | undefined
  /** The page of a URL: its main content instead of its whole body. */
  readonly isWebPage?: boolean
}

export interface ExtractedText {
  readonly status: 'extracted'
  readonly format: Format
  /** Markdown, without NUL and lone surrogates. Pages end with a form feed. */
  readonly text: string
  readonly title?: string | undefined
  /** JSON only: the indented document, of which `text` is the searchable form. */
  readonly canonical?: string
  readonly warnings: readonly Warning[]
  /** Of a page: the addresses of its links as written, each once. */
  readonly links?: readonly string[]
}

export interface ExtractionFailure {
  readonly status: 'failed'
  readonly reason: FailureReason
  readonly message: string
  readonly format?: Format
}

export type ExtractionResult = ExtractedText | ExtractionFailure

/** Thrown by converters; the child returns it as a failure. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  readonly reason: FailureReason

  constructor(reason: FailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}
