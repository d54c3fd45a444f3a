import type { Caller } from '../../kernel/auth/caller.ts'
import { assertInProject } from '../../kernel/auth/permission.ts'
import { redactStrictly } from '../../kernel/redaction/redact.ts'
import { makeExcerpt } from './excerpt.ts'
import type { TranscriptsNeeds } from './needs.ts'
import { parentOf } from './session-lineage.ts'
import { findNamed, type Hit, type SearchScope, searchIndex, searchPieces } from './store/search.ts'

export interface SearchSessions {
  readonly query: string
  readonly sessionKey?: string | undefined
  /** The one that asks: it is left out, and where it is a sub-agent's, its parent's is meant. */
  readonly currentSessionKey?: string | undefined
  readonly project?: string | undefined
  readonly during?: SearchScope['during']
  readonly limit: number
}

export interface SessionHit {
  readonly sessionKey: string
  readonly project: string | null
  readonly updatedAt: string
  readonly excerpt: string
  /** 0 for a session asked for by name; by the index the lower, by pieces the higher the better. */
  readonly rank: number
}

/** Words of a question that are looked for; pieces of the text need three characters at least. */
const most = { words: 24, longestWord: 100, pieces: 8, shortestPiece: 3, excerpt: 320 } as const

/** A session with the text around the words that were found in it. */
export interface Spoken extends Pick<Hit, 'sessionKey' | 'project' | 'updatedAt'> {
  readonly text: string
}

type SearchNeeds = Pick<TranscriptsNeeds, 'db' | 'log'>

/** What the agent's own sessions hold of these words, the best first. */
export async function searchSessions(
  needs: SearchNeeds,
  caller: Caller,
  asked: SearchSessions,
): Promise<readonly SessionHit[]> {
  const words = listWords(asked.query)
  return (await findSessions(needs, caller, asked)).map((hit) => toHit(hit, words))
}

/** What stands around these words, by the index alone, for whoever answers with it. */
export async function searchSpoken(
  needs: SearchNeeds,
  caller: Caller,
  asked: SearchSessions,
): Promise<readonly Spoken[]> {
  const hits = await searchWords(needs, scopeOf(caller, asked), asked)
  return hits.map(({ sessionKey, project, updatedAt, window }) => {
    return { sessionKey, project, updatedAt, text: redactStrictly(window).text }
  })
}

async function findSessions(
  needs: SearchNeeds,
  caller: Caller,
  asked: SearchSessions,
): Promise<readonly Hit[]> {
  const scope = scopeOf(caller, asked)
  const named = await findNamed(needs.db, scope, asked.query.replace(/^session:/, ''))
  if (named) return [named]
  const found = await searchWords(needs, scope, asked)
  if (found.length > 0) return found
  const words = listWords(asked.query).filter(({ length }) => length >= most.shortestPiece)
  const pieces = words.slice(0, most.pieces)
  return pieces.length === 0
    ? []
    : searchPieces(needs.db, scope, { words: pieces, limit: asked.limit })
}

function scopeOf(caller: Caller, asked: SearchSessions): SearchScope {
  if (asked.project !== undefined) assertInProject(caller, asked.project)
  const { currentSessionKey } = asked
  return {
    agentId: caller.agentId,
    project: asked.project ?? caller.scope.project,
    sessionKey: asked.sessionKey ?? (currentSessionKey && parentOf(currentSessionKey)),
    except: currentSessionKey,
    during: asked.during,
  }
}

async function searchWords(
  { db, log }: SearchNeeds,
  scope: SearchScope,
  { query, limit }: SearchSessions,
): Promise<readonly Hit[]> {
  const words = listWords(query).slice(0, most.words)
  if (words.length === 0) return []
  return searchIndex(db, scope, { words, limit }).catch((error: unknown) => {
    // The index is an aid: without it the texts themselves are looked at.
    log.warn({ err: error }, 'the index of sessions is out of reach')
    return []
  })
}

function listWords(query: string): string[] {
  const words = query
    .slice(0, 10_000)
    .toWellFormed()
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}_]+/gu)
  // The index splits what is joined: a word of very many parts would be looked for at each place of each.
  const short = words?.map((word) => word.slice(0, most.longestWord).toWellFormed())
  return [...new Set(short)]
}

function toHit({ window, isCut, ...hit }: Hit, words: readonly string[]): SessionHit {
  const text = redactStrictly(window).text
  return { ...hit, excerpt: makeExcerpt(text, { words, isCut, atMost: most.excerpt }) }
}
