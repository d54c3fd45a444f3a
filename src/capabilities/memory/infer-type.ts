/** Where a phrase stands: anywhere as whole words, or at the start of a clause. */
type Position = 'word' | 'clause'
type Language = 'en' | 'de' | 'es' | 'zh'
/** Alternatives of a regular expression over the text in lower case. */
type Phrases = Readonly<Partial<Record<Language, string>>>

interface TypeForm {
  readonly type: string
  readonly position: Position
  readonly phrases: Phrases
}

const subject = String.raw`(?:[\p{L}\p{N}_'-]{1,30} ){1,4}`
const adverbs =
  "(?:(?:really|also|always|never|strongly|generally|usually|still|just|do|don't|not|would|all) )*"

/** The first form that a text has decides, in this order. */
const forms: readonly TypeForm[] = [
  {
    type: 'preference',
    position: 'word',
    phrases: {
      en: `(?:i|we) ${adverbs}(?:prefer|want|like|love|hate|dislike|enjoy)|(?:i|we)'d (?:prefer|rather|like)|(?:users?|team|he|she|they) ${adverbs}(?:prefers?|wants?|likes?|loves?|hates?|dislikes?)`,
      de: String.raw`(?:ich|wir) (?:\p{L}{1,20} )?(?:bevorzugen?|will|wollen|möchten?|mag|mögen|hassen?|liebe|lieben)|(?:bevorzuge|will|möchte|mag|hasse|liebe) ich|(?:bevorzugen|wollen|möchten|mögen|hassen|lieben) wir|(?:(?:be)?nutzer(?:in)?|team) (?:bevorzugt|will|möchte|mag|hasst|liebt)`,
      es: `prefiero|preferimos|quiero|queremos|odiamos|detesto|(?:me|nos) (?:gustan?|encantan?)|(?:usuario|usuaria|equipo) (?:no )?(?:prefiere|quiere|odia)`,
      zh: '(?:我们?|用户|大家)(?:都|更|也|很|最|不|非常|比较|还是)*(?:喜欢|偏好|偏爱|想要|讨厌|希望|宁愿)',
    },
  },
  {
    type: 'preference',
    position: 'clause',
    phrases: { en: 'prefers?', de: 'lieber|bevorzugt', es: 'prefiere', zh: '偏好|宁愿' },
  },
  {
    type: 'decision',
    position: 'word',
    phrases: {
      en: 'decided|agreed|will use',
      de: 'entschieden|beschlossen|vereinbart|geeinigt',
      es: 'decidimos|decidido|acordamos|acordado|usaremos',
      zh: '决定|商定|约定',
    },
  },
  {
    type: 'learning',
    position: 'word',
    phrases: {
      en: 'learned|learnt|discovered',
      de: 'gelernt|herausgefunden',
      es: 'aprendí|aprendimos|aprendido|descubrí|descubrimos|descubierto',
      zh: '学到|学会',
    },
  },
  {
    type: 'learning',
    position: 'clause',
    phrases: { en: 'til' },
  },
  {
    type: 'issue',
    position: 'word',
    phrases: {
      en: 'bugs?|issues?|broken',
      de: 'bugs?|fehler|kaputt|defekt',
      es: 'fallos?|errores|rot[oa]s?|averiad[oa]s?',
      zh: '故障|坏了|出错|漏洞',
    },
  },
  {
    type: 'rule',
    position: 'clause',
    phrases: {
      en: `always|never(?! mind)|(?:please )?(?:do not|don't)|must(?: not)?|you (?:always|never)|(?!(?:i|it|this|that|there|he|she|they) )${subject}must(?! have been)`,
      de: `(?:bitte )?(?:immer|nie|niemals|stets)|(?!(?:ich|er|sie|es|das|man) )${subject}(?:muss|müssen|(?:darf|dürfen) (?:nicht|nie|niemals))`,
      es: `siempre|nunca|jamás|hay que|no (?:se )?deben?|(?!(?:yo|él|ella|eso|esto) )${subject}deben?(?! de)`,
      zh: String.raw`请?(?:总是|始终|永远|必须|务必|一定要|不要|不得|不许|禁止|切勿|绝不|千万)|(?![我你他她它])\p{sc=Han}{1,8}?(?:必须|不得|务必)`,
    },
  },
]

/** A person with a name; words that start a sentence are none. */
const personLikes =
  /(?<!\p{L})(?!(?:The|These|Those|This|That|Its?|And|Many) )\p{Lu}\p{Ll}{1,30} (?:prefers|likes|dislikes|loves|hates)(?!\p{L})/u

const patterns = forms.map(({ type, position, phrases }) => ({
  type,
  pattern: new RegExp(
    Object.entries(phrases)
      .map(([language, phrase]) => toPattern(phrase, { position, isSpaced: language !== 'zh' }))
      .join('|'),
    'u',
  ),
}))

function toPattern(
  phrase: string,
  { position, isSpaced }: { readonly position: Position; readonly isSpaced: boolean },
): string {
  const clauseStart = String.raw`(?<=(?:^|[.!?;:,\n。，；：！？])[\s*"'(-]{0,3})`
  const wordStart = isSpaced ? String.raw`(?<![\p{L}\p{N}_-])` : ''
  const wordEnd = isSpaced ? String.raw`(?![\p{L}\p{N}_-])` : ''
  const start = position === 'clause' ? clauseStart : wordStart
  return `${start}(?:${phrase})${wordEnd}`
}

/** Returns the first type whose form the text has: a statement of a preference, a rule, or a word. */
export function inferType(content: string): string {
  const text = content.replaceAll('’', "'").toLowerCase()
  if (personLikes.test(content)) return 'preference'
  return patterns.find(({ pattern }) => pattern.test(text))?.type ?? 'fact'
}
