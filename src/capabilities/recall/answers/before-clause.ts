/** "before X": X names what came later, so the answer need not have it. */
const beforeClause =
  /(?:,\s*)?(?<![\p{L}\p{N}])(?:before|prior to|bevor|vor|antes del?|avant)\s+(?:(?:the|we|der|die|das|dem|den|la|el|los|las|le|les)\s+)?(?<subject>\p{Lu}[\p{L}\p{N}\p{M}._-]*(?:\s+\p{Lu}[\p{L}\p{N}\p{M}._-]*)*)/u

export function dropBeforeClause(query: string): string {
  const rest = query.replace(beforeClause, ' ').trim()
  return /[\p{L}\p{N}]/u.test(rest) ? rest : query
}
