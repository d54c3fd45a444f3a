import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject } from '../../kernel/auth/permission.ts'
import { redactStrictly } from '../../kernel/redaction/redact.ts'
import { sliceText } from '../../kernel/redaction/slice-text.ts'
import type { TranscriptsNeeds } from './needs.ts'
import type { SessionHit } from './schemas.ts'
import {
  findSessionByName,
  type SearchScope,
  type SessionMatch,
  searchFullText,
  searchSubstrings,
} from './store/search.ts'

export interface SessionSearchRequest {
  readonly query: string
  readonly sessionKey?: string | undefined
  /** The calling session, which is excluded. A sub-agent searches its parent session. */
  readonly currentSessionKey?: string | undefined
  /** Further sessions that are excluded. */
  readonly excludedSessions?: readonly string[] | undefined
  readonly project?: string | undefined
  readonly during?: SearchScope['during']
  readonly limit: number
}

const limits = { words: 24, maxWordLength: 100, parts: 8, minPieceLength: 3, excerpt: 320 } as const

/** A session with the text around the matched words. */
interface TranscriptPassage extends Pick<SessionMatch, 'sessionKey' | 'project' | 'updatedAt'> {
  readonly text: string
}

type SearchNeeds = Pick<TranscriptsNeeds, 'db' | 'log'>

/** Searches the agent's own sessions, the best first. */
export async function searchSessions(
  needs: SearchNeeds,
  caller: Caller,
  request: SessionSearchRequest,
): Promise<SessionHit[]> {
  const words = listWords(request.query)
  return (await findSessions(needs, caller, request)).map((hit) => toHit(hit, words))
}

/** Passages around the matched words, from the full-text index only. */
export async function searchTranscripts(
  needs: SearchNeeds,
  caller: Caller,
  request: SessionSearchRequest,
): Promise<readonly TranscriptPassage[]> {
  const hits = await searchWords(needs, scopeOf(caller, request), request)
  return hits.map(({ sessionKey, project, updatedAt, window }) => {
    return { sessionKey, project, updatedAt, text: redactStrictly(window).text }
  })
}

async function findSessions(
  needs: SearchNeeds,
  caller: Caller,
  request: SessionSearchRequest,
): Promise<readonly SessionMatch[]> {
  const scope = scopeOf(caller, request)
  const named = await findSessionByName(needs.db, scope, request.query.replace(/^session:/, ''))
  if (named) return [named]
  const hits = await searchWords(needs, scope, request)
  if (hits.length > 0) return hits
  const words = listWords(request.query).filter(({ length }) => length >= limits.minPieceLength)
  const pieces = words.slice(0, limits.parts)
  return pieces.length === 0
    ? []
    : searchSubstrings(needs.db, scope, { words: pieces, limit: request.limit })
}

function scopeOf(caller: Caller, request: SessionSearchRequest): SearchScope {
  if (request.project !== undefined) assertInProject(caller, request.project)
  const { currentSessionKey, excludedSessions = [] } = request
  return {
    agentId: caller.agentId,
    project: request.project ?? caller.scope.project,
    sessionKey: request.sessionKey ?? (currentSessionKey && parentOf(currentSessionKey)),
    except: [currentSessionKey ?? [], excludedSessions].flat().flatMap(toStoredKeys),
    during: request.during,
  }
}

/** The bare and the prefixed form of a session key. */
function toStoredKeys(key: string): readonly string[] {
  const bare = key
    .trim()
    .replace(/^session:/, '')
    .trim()
  return [bare, `session:${bare}`]
}

async function searchWords(
  { db, log }: SearchNeeds,
  scope: SearchScope,
  { query, limit }: SessionSearchRequest,
): Promise<readonly SessionMatch[]> {
  const words = listWords(query).slice(0, limits.words)
  if (words.length === 0) return []
  return searchFullText(db, scope, { words, limit }).catch((error: unknown) => {
    // Without the index the texts themselves are scanned.
    log.warn({ err: error }, 'session index search failed')
    return []
  })
}

function listWords(query: string): string[] {
  const words = sliceText(query, 0, 10_000)
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}_]+/gu)
  // The index splits compound words; a word with many parts would be slow.
  const short = words?.map((word) => sliceText(word, 0, limits.maxWordLength))
  return [...new Set(short)]
}

function toHit({ window, isCut, ...hit }: SessionMatch, words: readonly string[]): SessionHit {
  const text = redactStrictly(window).text
  return { ...hit, excerpt: makeExcerpt(text, { words, isCut, maxLength: limits.excerpt }) }
}

interface ExcerptOptions {
  readonly words: readonly string[]
  /** Whether the source text continues before and after this text. */
  readonly isCut: { readonly before: boolean; readonly after: boolean }
  readonly maxLength: number
}

/** The share of an excerpt before the matched word. */
const leadShare = 0.35
const ellipsis = '...'

/** The characters around the first matched word, without speaker labels and credentials. */
export function makeExcerpt(text: string, { words, isCut, maxLength }: ExcerptOptions): string {
  const plain = redactStrictly(dropLabels(text)).text
  const lowerCase = plain.toLowerCase()
  const positions = words.map((word) => lowerCase.indexOf(word)).filter((at) => at >= 0)
  const first = positions.length > 0 ? Math.min(...positions) : 0
  const available = maxLength - 2 * ellipsis.length
  const latest = Math.max(0, plain.length - available)
  const start = Math.min(latest, Math.max(0, Math.floor(first - available * leadShare)))
  const end = Math.min(plain.length, start + available)
  const before = start > 0 || isCut.before ? ellipsis : ''
  const after = end < plain.length || isCut.after ? ellipsis : ''
  return `${before}${sliceText(plain, start, end).trim()}${after}`
}

function dropLabels(text: string): string {
  return text.replaceAll(/(^|\n)(?:User|Assistant|Unknown): /g, '$1').replaceAll('\n', ' ')
}

/**
 * The parent of a sub-agent session, from its key: `<parent>:subagent:<id>`,
 * `<parent>/subagents/<id>`,
 * and `agent:<name>:subagent:<id>`, whose parent is `agent:<name>:main`.
 */
export function parentOf(sessionKey: string): string | undefined {
  const match = /:sub-?agent:|\/sub-?agents?\//i.exec(sessionKey)
  const parent = match ? sessionKey.slice(0, match.index) : ''
  if (parent === '') return undefined
  return /^agent:[^:]+$/.test(parent) ? `${parent}:main` : parent
}
