import {
  detectLanguage,
  fold,
  isFunctionWord,
  isSpaceless,
  type Language,
  splitWords,
} from '../../../search/index.ts'
import { isCalendarWord } from './calendar-words.ts'
import { coverSpecificTerms } from './coverage.ts'
import type { AnswerHit } from './hit.ts'

const name = String.raw`\p{Lu}[\p{L}\p{M}-]+`
/** "Maria's dentist", "Maria Lopez’s dentist". */
const possessive = new RegExp(
  String.raw`(?<!\p{L})(?<owner>${name}(?:\s${name})*)['’]s(?=\s\p{L})`,
  'u',
)
/** "el dentista de María", "le dentiste d'Anne". */
const romance = new RegExp(String.raw`(?<!\p{L})(?:de\s|d['’])(?<owner>${name}(?:\s${name})*)`, 'u')
/** "Marias Zahnarzt". After an article, with or without an adjective, it is no name. */
const germanArticle =
  '[dD](?:as|er|ie|es|em|en)|eine?[mnrs]?|[ai]m|[zv]om|zu[mr]|[wW]elche[mnrs]?|viele[nr]?|alle[nr]?'
const germanGenitive = new RegExp(
  String.raw`(?<=\p{Ll}\s)(?<!(?<!\p{L})(?:${germanArticle})\s(?:\p{Ll}+\s)?)(?<owner>${name})s(?=\s\p{Lu})`,
  'u',
)
const germanOf = new RegExp(String.raw`(?<!\p{L})von\s(?<owner>${name})(?=\s*[?.]?$)`, 'u')
/** Frequent family names, without those that often begin other words. */
const chineseNames =
  '王李张刘陈杨赵吴徐孙朱胡郭林罗郑梁谢宋唐韩冯邓曹彭萧董潘袁蒋蔡杜叶苏魏吕沈姚卢崔谭汪廖贾韦邹熊秦邱薛闫侯陶黎贺顾郝龚邵'
/** "张伟的牙医". */
const chinese = new RegExp(
  String.raw`(?<!\p{sc=Han})(?:谁是|请问)?(?<owner>[${chineseNames}]\p{sc=Han}{1,2})的(?=\p{sc=Han})`,
  'u',
)

/** Possession in languages that express it in another way than "Maria's". */
const patterns: Readonly<Partial<Record<Language, readonly RegExp[]>>> = {
  de: [germanGenitive, germanOf, possessive],
  es: [romance],
  fr: [romance],
}

/** Tests whether a text lacks the person or thing whose possession a question asks for. */
export function createOwnerTest(query: string): (hit: AnswerHit) => boolean {
  const owner = readOwner(query)
  if (owner === undefined) return () => false
  const terms = [{ kind: 'name', words: owner.split(/\s+/) }] as const
  const isForeign = ({ content }: AnswerHit) => isSpaceless(owner) && !isSpaceless(content)
  return (hit) => !isForeign(hit) && coverSpecificTerms(terms, hit) === 0
}

/** The owner that a question names, folded. */
export function readOwner(query: string): string | undefined {
  const language = detectLanguage(splitWords(fold(query)))
  const applied = [...(patterns[language] ?? [possessive]), chinese]
  const owners = applied.map((pattern) => pattern.exec(query)?.groups?.['owner'])
  const owner = owners.find((words) => words !== undefined)
  if (owner === undefined) return undefined
  const folded = fold(owner)
  const [first = ''] = folded.split(/\s+/)
  return isCalendarWord(first) || isFunctionWord(first, language) ? undefined : folded
}
