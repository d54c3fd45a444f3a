import { isFunctionWord, toCanonicalKey, toCanonicalName } from '../../knowledge/index.ts'
import {
  judgeName,
  listLinked,
  type NameContext,
  type NameEvidence,
  readNameContext,
  toName,
} from './names.ts'
import { type DividedText, divideText } from './sentences.ts'

/** A change of the graph that the words of a source suggest. */
export interface Draft {
  readonly operation: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly confidence: number
  readonly rationale: string
  /** Exactly as in the source. */
  readonly quote: string
}

const maxPerRule = 50
const maxSubjectWords = 5
const clauseEnd = /[,;:.!?()。，；：！？（）]/u
const splitWords = (text: string) => text.split(/\s+/)

const states = new Set(['is', 'are'])
const claimVerbs: ReadonlySet<string> = new Set(['should', 'must', 'needs to', ...states])
/** The verbs of links with their dependency types. */
const linkVerbs: ReadonlyMap<string, string> = new Map([
  ['supports', 'related_to'],
  ['requires', 'requires'],
  ['depends on', 'depends_on'],
  ['blocks', 'blocks'],
  ['uses', 'uses'],
  ['contains', 'contains'],
  ['implements', 'implements'],
  ['maintains', 'maintains'],
  ['informs', 'informs'],
])
/** Chinese verbs with their English ones. */
const chineseVerbs: readonly (readonly [string, string])[] = [
  ['应该', 'should'],
  ['必须', 'must'],
  ['需要使用', 'uses'],
  ['使用', 'uses'],
  ['支持', 'supports'],
  ['依赖', 'requires'],
  ['阻塞', 'blocks'],
  ['包含', 'contains'],
  ['实现了', 'implements'],
  ['维护', 'maintains'],
  ['是', 'is'],
]

/** A sentence divided at its verb. */
interface Clause {
  readonly sentence: string
  readonly subject: string
  readonly verb: string
  readonly rest: string
}

/** Reads a source in two steps, because the names of the graph are looked up between them. */
export function readSource(text: string) {
  const divided = divideText(text)
  const clauses = divided.sentences.flatMap((sentence) => toClause(sentence) ?? [])
  const context = readNameContext(text, divided.sentences)
  return {
    blocks: divided.blocks,
    /** Phrases that may name an entity of the graph. */
    candidates: [
      ...new Set(clauses.flatMap(({ subject, rest }) => [subject, ...listObjects(rest)])),
    ].map(toName),
    listDrafts: (known: ReadonlySet<string>) => listDrafts(divided, clauses, { ...context, known }),
  }
}

function listDrafts(
  { sentences }: DividedText,
  clauses: readonly Clause[],
  context: NameContext,
): readonly Draft[] {
  const linked = sentences.flatMap((sentence) =>
    listLinked(sentence).flatMap((name) => toMention(name, sentence, context)),
  )
  const claims = clauses.flatMap((clause) => toClaim(clause, context))
  const links = clauses.flatMap((clause) => toLink(clause, context))
  return [linked, claims, links].flatMap((drafts) => unique(drafts).slice(0, maxPerRule))
}

function unique(drafts: readonly Draft[]): Draft[] {
  const byPayload = new Map(
    drafts.toReversed().map((draft) => [JSON.stringify(draft.payload), draft]),
  )
  return [...byPayload.values()].toReversed()
}

function toClause(sentence: string): Clause | undefined {
  return toChineseClause(sentence) ?? toEnglishClause(sentence)
}

function toEnglishClause(sentence: string): Clause | undefined {
  const words = splitWords(sentence)
  for (let at = 1; at <= Math.min(maxSubjectWords, words.length - 2); at++) {
    const [first = '', second = ''] = words.slice(at).map((word) => word.toLowerCase())
    const pair = `${first} ${second}`
    const verb = claimVerbs.has(pair) || linkVerbs.has(pair) ? pair : first
    if (!claimVerbs.has(verb) && !linkVerbs.has(verb)) continue
    const rest = words.slice(at + splitWords(verb).length).join(' ')
    return rest === '' ? undefined : { sentence, subject: words.slice(0, at).join(' '), verb, rest }
  }
  return undefined
}

function toChineseClause(sentence: string): Clause | undefined {
  if (!/\p{Script=Han}/u.test(sentence)) return undefined
  const firstVerb = chineseVerbs
    .map(([word, verb]) => ({ word, verb, at: sentence.indexOf(word) }))
    .filter(({ at }) => at > 0)
    .toSorted((a, b) => a.at - b.at)[0]
  if (!firstVerb) return undefined
  const { word, verb, at } = firstVerb
  const rest = sentence.slice(at + word.length).trim()
  return rest === '' ? undefined : { sentence, subject: sentence.slice(0, at).trim(), verb, rest }
}

/** The phrases at the beginning of a text that may be a name, the longest first. */
function listObjects(rest: string): string[] {
  const code = /^`[^`]+`/.exec(rest)
  if (code) return [code[0]]
  const end = rest.search(clauseEnd)
  const inside = (end === -1 ? rest : rest.slice(0, end)).trim()
  const [first = ''] = listLinked(rest)
  if (rest.startsWith('[[')) return [`[[${first}]]`]
  const words = splitWords(inside).slice(0, maxSubjectWords)
  return words.map((_, index) => words.slice(0, words.length - index).join(' ')).filter(Boolean)
}

function toMention(name: string, quote: string, context: NameContext): Draft[] {
  if (!judgeName(`[[${name}]]`, context)) return []
  return [
    {
      operation: 'create_entity',
      payload: { name, entity_type: 'concept' },
      confidence: 0.7,
      rationale: 'The source links to this name.',
      quote,
    },
  ]
}

function toClaim({ sentence, subject, verb, rest }: Clause, context: NameContext): Draft[] {
  const evidence = judgeName(subject, context)
  if (!claimVerbs.has(verb) || !evidence || !isStrongEnough(evidence, verb)) return []
  const key = [verb, ...listContentWords(rest)].join(' ')
  return [
    {
      operation: 'add_claim_value',
      payload: {
        entity: toName(subject),
        aspect: 'extracted',
        group: 'transcript',
        claim_key: toCanonicalKey(key),
        value: sentence,
      },
      confidence: 0.55,
      rationale: `The source says what ${toName(subject)} ${verb}.`,
      quote: sentence,
    },
  ]
}

/** A capital alone is no evidence before `is`: every sentence begins with one. */
function isStrongEnough(evidence: NameEvidence, verb: string): boolean {
  return evidence !== 'initial' || !states.has(verb)
}

function listContentWords(rest: string): string[] {
  const words = rest.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu) ?? []
  return words.filter((word) => !isFunctionWord(word)).slice(0, 2)
}

function toLink({ sentence, subject, verb, rest }: Clause, context: NameContext): Draft[] {
  const type = linkVerbs.get(verb)
  const object = listObjects(rest).find((phrase) => isObject(phrase, context))
  if (type === undefined || object === undefined || !judgeName(subject, context)) return []
  const [source, target] = [toName(subject), toName(object)]
  if (toCanonicalName(source) === toCanonicalName(target)) return []
  return [
    {
      operation: 'create_link',
      payload: { source_entity: source, target_entity: target, link_type: type, reason: sentence },
      confidence: 0.58,
      rationale: `The source says that ${source} ${verb} ${target}.`,
      quote: sentence,
    },
  ]
}

/** In the middle of a sentence a capital is evidence. */
function isObject(phrase: string, context: NameContext): boolean {
  return judgeName(phrase, context) !== undefined
}
