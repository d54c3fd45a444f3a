import type { CompiledLanguage } from './language.ts'
import { findPhrases } from './phrases.ts'
import { type Token, tokenize } from './tokens.ts'

/** Marks of roles, prompts, tools and fences that only machinery writes. */
const marks: readonly RegExp[] = [
  /^\s{0,20}[*#[(<|_]{0,4}(?:system|assistant|developer|user|human|ai|tool|系统|助手)[\])>|*_]{0,4}\s?[:：]/imu,
  /\[\/?(?:inst|system|assistant|tool|tool_call|tool_use|function|end|begin)\b/iu,
  /<\/?\|?(?:system|assistant|user|im_start|im_end|tool|tool_call|tool_use|function|evidence|svc-|reverie|instructions?|memory|thinking|claim|admin)/iu,
  /tool_calls?\b|function_calls?\b|tool_use\b|tool_result\b|im_start|im_end|endoftext/iu,
  /\b(?:apply_ontology_ops|set_claim_value|add_claim_value|supersede_claim_value|archive_claim_value|archive_entity|archive_aspect|archive_link|merge_entities|rename_entity|rename_aspect|create_entity|create_aspect|create_link|update_link|create_policy|decline_attention|runbook_write|record_hygiene_attention|search_evidence|entity_id|attribute_id|claim_key)\b/iu,
  /["'](?:operation|operations|calls|tool|payload|done)["']\s{0,4}:/iu,
  /-{3,}\s{0,4}(?:begin|end|system|new instructions)/iu,
]

/** Turns that address the memory or its maker make no statement at all. */
export function isHostile(languages: readonly CompiledLanguage[], text: string): boolean {
  const plain = text.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
  if (marks.some((mark) => mark.test(plain))) return true
  return splitClauses(tokenize(plain)).some((tokens) =>
    languages.some(({ hostile }) => findPhrases(tokens, hostile).length > 0),
  )
}

/** Phrases do not go over the end of a sentence. */
function splitClauses(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [[]]
  for (const token of tokens) {
    if (/^[.!?。！？]$/.test(token.text)) clauses.push([])
    else clauses.at(-1)?.push(token)
  }
  return clauses
}
