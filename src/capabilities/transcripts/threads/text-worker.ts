import { redactStrictly } from '../../../kernel/redaction/redact.ts'
import { planFileWrite, type WritePlan, type WritePlanTask } from '../files/plan-file-write.ts'
import { dropInjectedTurns } from '../injected-blocks.ts'
import { type ParseOptions, parseTranscript } from '../parse/parse-transcript.ts'
import { hashContent, type SourceFormat, toContent } from '../transcript.ts'

export interface ReadTask extends ParseOptions {
  readonly text: string
  /** Whether older turns were dropped before. */
  readonly truncated: boolean
}

export interface ReadText {
  /** One turn a line; empty without turns. */
  readonly content: string
  readonly contentHash: string
  readonly format: SourceFormat
  readonly redactions: number
}

export async function read({ text, truncated, ...parsing }: ReadTask): Promise<ReadText> {
  const { turns, format, redactions } = parseTranscript(text, parsing)
  const content = toContent(turns, truncated && turns.length > 0)
  return { content, contentHash: hashContent(content), format, redactions }
}

export function readAll(tasks: readonly ReadTask[]): Promise<ReadText[]> {
  return Promise.all(tasks.map(read))
}

export async function redact(text: string): Promise<string> {
  return redactStrictly(text).text
}

export async function dropInjected(content: string): Promise<string> {
  return dropInjectedTurns(content)
}

export interface TranscriptReply {
  readonly sessionKey: string
  readonly agentId: string
  readonly content: string
}

/** The complete serialized reply of a transcript read. */
export async function write({ content, ...about }: TranscriptReply): Promise<Uint8Array> {
  return Buffer.from(JSON.stringify({ ...about, content: await redact(content) }))
}

export function plan(planning: WritePlanTask): Promise<WritePlan> {
  return planFileWrite(planning)
}
