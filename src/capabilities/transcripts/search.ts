import type { Caller } from '../../kernel/auth/caller.ts'
import { refuseOutsideProject } from '../../kernel/auth/permission.ts'
import { redactStrictly } from '../../kernel/hygiene/redact.ts'
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
const most = { words: 24, pieces: 8, shortestPiece: 3, excerpt: 320 } as const

/** What the agent's own sessions hold of these words, the best first. */
export async function searchSessions(
  { db, log }: Pick<TranscriptsNeeds, 'db' | 'log'>,
  caller: Caller,
  { query, limit, ...asked }: SearchSessions,
): Promise<readonly SessionHit[]> {
  if (asked.project !== undefined) refuseOutsideProject(caller, asked.project)
  const { currentSessionKey } = asked
  const scope: SearchScope = {
    agentId: caller.agentId,
    project: asked.project ?? caller.scope.project,
    sessionKey: asked.sessionKey ?? (currentSessionKey && parentOf(currentSessionKey)),
    except: currentSessionKey,
  }
  const words = listWords(query)
  const named = await findNamed(db, scope, query.replace(/^session:/, ''))
  if (named) return [toHit(named, words)]
  if (words.length === 0) return []
  const search = { words: words.slice(0, most.words), limit }
  const found = await searchIndex(db, scope, search).catch((error: unknown) => {
    // The index is an aid: without it the texts themselves are looked at.
    log.warn({ err: error }, 'the index of sessions is out of reach')
    return []
  })
  if (found.length > 0) return found.map((hit) => toHit(hit, words))
  const pieces = words.filter(({ length }) => length >= most.shortestPiece).slice(0, most.pieces)
  if (pieces.length === 0) return []
  const held = await searchPieces(db, scope, { words: pieces, limit })
  return held.map((hit) => toHit(hit, words))
}

function listWords(query: string): string[] {
  const words = query
    .slice(0, 10_000)
    .toWellFormed()
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}_]+/gu)
  return [...new Set(words ?? [])]
}

function toHit({ window, isCut, ...hit }: Hit, words: readonly string[]): SessionHit {
  const text = redactStrictly(window).text
  return { ...hit, excerpt: makeExcerpt(text, { words, isCut, atMost: most.excerpt }) }
}
