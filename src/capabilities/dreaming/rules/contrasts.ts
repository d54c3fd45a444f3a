import type { CompiledLanguage } from './language.ts'
import { phraseEnd, type Span } from './phrases.ts'
import type { Token } from './tokens.ts'

interface ContrastRequest {
  readonly tokens: readonly Token[]
  readonly language: CompiledLanguage
}

/** `not in Ferrol any more`, `instead of tea`: up to the next mark. */
export function contrastSpan(request: ContrastRequest, end: number): Span | undefined {
  const { tokens } = request
  for (let start = end; start <= Math.min(end + 3, tokens.length - 1); start++) {
    if (!startsContrast(request, start)) continue
    if (isTakenBack(request, start)) return undefined
    const stop = tokens.findIndex(({ kind }, at) => at > start && kind === 'mark')
    const end = stop < 0 ? tokens.length : stop
    return end > (phraseEnd(tokens, start, request.language.contrasts) ?? start)
      ? { start, end }
      : undefined
  }
  return undefined
}

function startsContrast({ tokens, language }: ContrastRequest, at: number): boolean {
  if (phraseEnd(tokens, at, language.contrasts) === undefined) return false
  return language.isUnspaced || isContrast(tokens, at)
}

/** `not really` contradicts; `not in Lugo` contrasts. */
function isTakenBack({ tokens, language }: ContrastRequest, at: number): boolean {
  if (language.isUnspaced) return false
  return (phraseEnd(tokens, at, language.retractions) ?? at) > at + 1
}

/** A negation without a mark before it concerns the statement itself. */
function isContrast(tokens: readonly Token[], at: number): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]]
  if (/^(?:instead|rather|as|in|statt|anstatt|anstelle|and|but|und|aber)$/.test(token?.lower ?? ''))
    return true
  return before?.kind === 'mark'
}
